"""Language models in GGUF files, through llama.cpp in this process."""
