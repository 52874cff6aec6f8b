"""A YAML file that knows on which line each of its keys stands, and says what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from companion.errors import ConfigError


@dataclass(frozen=True)
class YamlFile:
    """A file of `key: value` sections: `tree` is its content, `line_of` finds a key."""

    path: Path
    tree: dict[str, Any]
    _root: yaml.Node | None

    @classmethod
    def read(cls, path: Path) -> YamlFile:
        """Raises ConfigError: unreadable, not YAML, not a mapping, a key twice."""
        text = _text(path)
        try:
            loader = yaml.SafeLoader(text)
            root = loader.get_single_node()
            if root is None or root.tag == "tag:yaml.org,2002:null":
                return cls(path, {}, None)
            if not isinstance(root, yaml.MappingNode):
                raise ConfigError(f"{path}, line 1: must hold 'key: value' lines, as config.yaml")
            _require_tree(path, root)
            tree = loader.construct_document(root)
        except yaml.reader.ReaderError as error:
            line = text[: error.position].count("\n") + 1
            raise ConfigError(
                f"{path}, line {line}: holds a control character; delete it"
            ) from None
        except yaml.YAMLError as error:
            raise ConfigError(_explain(path, error)) from None
        except RecursionError:
            raise ConfigError(f"{path}: is nested too deeply") from None
        except ValueError as error:
            # An impossible date, or a number of thousands of digits.
            raise ConfigError(f"{path}: holds a value that cannot be read: {error}") from None
        return cls(path, {str(key): value for key, value in tree.items()}, root)

    def line_of(self, place: tuple[str, ...]) -> int | None:
        """The line (from 1) of a key, or of the innermost section around it that the file has."""
        node, line = self._root, None
        for key in place:
            if not isinstance(node, yaml.MappingNode):
                break
            entries = [(name, value) for name, value in node.value if name.value == key]
            if not entries:
                break
            name, node = entries[-1]
            line = name.start_mark.line + 1
        return line

    def at(self, place: tuple[str, ...]) -> str:
        """The path and, when the file has the key, its line: the beginning of a message."""
        line = self.line_of(place)
        return f"{self.path}, line {line}" if line else str(self.path)


def _text(path: Path) -> str:
    try:
        # utf-8-sig: some editors put a byte order mark first.
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file; name one with --config FILE") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def _explain(path: Path, error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "cannot be read"
    line = f", line {mark.line + 1}" if mark else ""
    advice = "; indent with spaces, not tabs" if r"\t" in problem else ""
    return f"{path}{line}: not valid YAML: {problem}{advice}"


def _require_tree(path: Path, node: yaml.Node, above: tuple[yaml.Node, ...] = ()) -> None:
    """YAML allows a key twice, where the last one silently wins, and a section inside itself."""
    if any(node is other for other in above):
        raise ConfigError(f"{path}, line {node.start_mark.line + 1}: refers to itself")
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _require_tree(path, item, (*above, node))
    elif isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for name, value in node.value:
            line = name.start_mark.line + 1
            if isinstance(name, yaml.ScalarNode):
                if name.value in seen:
                    first = seen[name.value]
                    raise ConfigError(
                        f"{path}, line {line}: {name.value} stands here for the second time; the "
                        f"first is in line {first}"
                    )
                seen[name.value] = line
            _require_tree(path, value, (*above, node))
