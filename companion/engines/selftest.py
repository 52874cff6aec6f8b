"""Does this machine really run the installed llama.cpp? `python -m companion.engines.selftest GGUF`

A build with instructions that the CPU lacks loads a model and decodes single tokens well, then
dies with SIGILL in its first large matrix: the first prompt batch. So the test evaluates a prompt
longer than one batch, and belongs in a process of its own, whose death is the answer.
"""

from __future__ import annotations

import argparse
import json
import math
import time

import llama_cpp

_BATCH = 64
_PROMPT_TOKENS = 2 * _BATCH + 22
"""Two whole batches and a part of one: each takes its own path through the kernels."""

_ANSWER_TOKENS = 8


def main() -> None:
    """Print one JSON object: `features` (as llama.cpp names them), `prompt_tokens_per_s`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gguf")
    parser.add_argument("--gpu-layers", type=int, default=0)
    arguments = parser.parse_args()
    model = llama_cpp.Llama(
        arguments.gguf,
        n_ctx=2 * _PROMPT_TOKENS,
        n_batch=_BATCH,
        n_threads=1,
        n_threads_batch=1,
        n_gpu_layers=arguments.gpu_layers,
        verbose=False,
    )
    sentence = b"One day a small toy robot walked to the sea and asked the gulls for a song. "
    ids = (model.tokenize(sentence) * _PROMPT_TOKENS)[:_PROMPT_TOKENS]
    started = time.perf_counter()
    model.eval(ids)
    rate = _PROMPT_TOKENS / (time.perf_counter() - started)
    for _ in range(_ANSWER_TOKENS):
        # A build that computes nonsense shows it as NaN in the logits.
        logits = llama_cpp.llama_get_logits_ith(model.ctx, -1)
        if not all(math.isfinite(logits[i]) for i in range(0, model.n_vocab(), 97)):
            raise SystemExit("the model's output is not a number")
        model.eval([model.sample(temp=0.0)])
    report = {
        "features": llama_cpp.llama_print_system_info().decode().strip(" |"),
        "prompt_tokens_per_s": round(rate, 1),
    }
    print(json.dumps(report))
    model.close()


if __name__ == "__main__":
    main()
