/** What a saved adapter consists of, by the names of its files: for llama.cpp, for PEFT (its two), and what an optimizer goes on from. */
export const ADAPTER_GGUF = 'adapter.gguf';
export const PEFT_TENSORS = 'adapter_model.safetensors';
export const PEFT_CONFIG = 'adapter_config.json';
export const OPTIMIZER = 'optimizer.safetensors';
