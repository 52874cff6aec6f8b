"""Which llama.cpp is built for which machine."""

from __future__ import annotations

from llama_builds import Build, builds

OLD = {"sse4_2", "avx"}
COMMON = {"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2"}
WIDE = COMMON | {"avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw", "avx512_vnni"}
SERVER = WIDE | {"avx512vbmi", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16"}


def linux(flags: set[str], machine: str = "x86_64") -> list[Build]:
    return builds("Linux", machine, flags, jetson=False)


def test_a_common_cpu_gets_avx2_and_never_what_the_cpu_claims_beyond() -> None:
    (build,) = linux(COMMON)
    assert build.cmake_args == (
        "-DGGML_NATIVE=OFF -DGGML_SSE42=ON -DGGML_AVX=ON -DGGML_AVX2=ON -DGGML_FMA=ON "
        "-DGGML_F16C=ON -DGGML_BMI2=ON"
    )


def test_what_an_old_cpu_lacks_is_switched_off_by_name() -> None:
    """Left out, llama.cpp's CMake files would switch it on."""
    (build,) = linux(OLD)
    assert "-DGGML_AVX=ON" in build.options
    assert {"-DGGML_AVX2=OFF", "-DGGML_FMA=OFF", "-DGGML_BMI2=OFF"} <= set(build.options)
    assert build.features == ()


def test_avx512_comes_first_where_the_cpu_has_it_with_vnni() -> None:
    assert [build.name for build in linux(WIDE)] == ["avx512", "avx2"]
    assert [build.name for build in linux(WIDE - {"avx512_vnni"})] == ["avx2"]
    assert "-DGGML_AVX512_VBMI=OFF" in linux(WIDE)[0].options
    assert "-DGGML_AVX512_VBMI=ON" in linux(SERVER)[0].options


def test_amx_is_never_compiled_in() -> None:
    """Virtual CPUs claim it and trap on its first tile."""
    for build in linux(SERVER):
        assert "AMX" not in build.cmake_args
        assert "-DGGML_NATIVE=OFF" in build.options


def test_a_wheel_must_report_what_makes_it_fast() -> None:
    wide, common = linux(SERVER)
    assert set(common.features) == {"AVX2", "FMA", "F16C"}
    assert set(wide.features) == {"AVX2", "FMA", "F16C", "AVX512", "AVX512_VNNI"}


def test_the_jetson_builds_for_its_gpu_and_falls_back_without_virtual_memory() -> None:
    first, second = builds("Linux", "aarch64", set(), jetson=True)
    assert first.cmake_args == "-DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=87"
    assert second.options == (*first.options, "-DGGML_CUDA_NO_VMM=ON")
    assert first.gpu_layers == second.gpu_layers == -1


def test_a_jetson_that_allocates_short_is_first_built_without_virtual_memory() -> None:
    usual = builds("Linux", "aarch64", set(), jetson=True)
    assert builds("Linux", "aarch64", set(), jetson=True, allocates_short=True) == usual[::-1]


def test_arm_and_apple_take_llama_cpps_own_defaults() -> None:
    assert [build.options for build in linux(set(), "aarch64")] == [()]
    (metal,) = builds("Darwin", "arm64", set(), jetson=False)
    assert (metal.name, metal.options) == ("metal", ())


def test_other_options_have_another_place_in_the_cache() -> None:
    everywhere = [
        *linux(OLD),
        *linux(COMMON),
        *linux(WIDE),
        *linux(SERVER),
        *linux(set(), "aarch64"),
        *builds("Linux", "aarch64", set(), jetson=True),
    ]
    options = {build.options for build in everywhere}
    assert len({build.key for build in everywhere}) == len(options)
