"""Writes test/fixtures/learning/<architecture>.{gguf,safetensors,json}: small random models as llama.cpp has them, and what PyTorch, with Hugging
Face's transformers and PEFT, computes of them: logits, losses, gradients of an adapter, one step of AdamW. In double precision, from weights of half precision.
Needs: pip install torch transformers peft gguf safetensors numpy.

    python scripts/learning-fixtures/models.py
"""
import json
from pathlib import Path

import numpy as np
import torch
from gguf import GGMLQuantizationType, GGUFWriter, RopeScalingType
from peft import LoraConfig, get_peft_model
from safetensors.numpy import save_file
from transformers import Gemma3TextConfig, LlamaConfig, Qwen2Config, Qwen3Config
from transformers import Gemma3ForCausalLM, LlamaForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM

FOLDER = Path(__file__).parents[2] / "test/fixtures/learning"
RANK, ALPHA, TOP = 4, 6, 6
LEARNING_RATE, WEIGHT_DECAY, MAX_GRAD_NORM = 0.05, 0.01, 0.5
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
SDPO = {"mixture": 0.5, "isClip": 1.2, "klWeight": 0.1}
COMMON = {"vocab_size": 56, "hidden_size": 24, "intermediate_size": 40, "num_attention_heads": 4, "num_key_value_heads": 2,
          "max_position_embeddings": 128, "attn_implementation": "eager"}
STRETCHED = {"rope_type": "llama3", "rope_theta": 500.0, "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
             "original_max_position_embeddings": 16}

MODELS = {
    "llama": (LlamaForCausalLM, LlamaConfig(**COMMON, num_hidden_layers=2, head_dim=8, rms_norm_eps=1e-5,
                                            tie_word_embeddings=True, rope_parameters=STRETCHED)),
    "qwen2": (Qwen2ForCausalLM, Qwen2Config(**COMMON, num_hidden_layers=2, rms_norm_eps=1e-6, tie_word_embeddings=False,
                                            rope_parameters={"rope_type": "default", "rope_theta": 1000.0})),
    "qwen3": (Qwen3ForCausalLM, Qwen3Config(**COMMON, num_hidden_layers=2, head_dim=8, rms_norm_eps=1e-6,
                                            tie_word_embeddings=True,
                                            rope_parameters={"rope_type": "linear", "rope_theta": 1000.0, "factor": 2.0})),
    "gemma3": (Gemma3ForCausalLM, Gemma3TextConfig(
        **{**COMMON, "hidden_size": 16, "intermediate_size": 24}, num_hidden_layers=6, head_dim=8, rms_norm_eps=1e-6,
        tie_word_embeddings=True, query_pre_attn_scalar=8, sliding_window=4, hidden_activation="gelu_pytorch_tanh",
        rope_parameters={"full_attention": {"rope_type": "linear", "rope_theta": 5000.0, "factor": 8.0},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})),
}

NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
         "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
GEMMA_NAMES = {**NAMES, "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
               "post_feedforward_layernorm": "post_ffw_norm"}


def randomise(model, random):
    """Weights that half precision holds; norms that are no ones."""
    for name, parameter in model.named_parameters():
        if "norm" in name:
            values = random.uniform(-0.4, 0.4, parameter.shape) + (0 if "gemma" in model.config.model_type else 1)
        else:
            values = random.normal(0, 0.6 if "embed" in name else 1.5 / np.sqrt(parameter.shape[-1]), parameter.shape)
        parameter.data = torch.tensor(values.astype(np.float16).astype(np.float64))


def permuted(values, heads):
    """As llama.cpp's converter turns the rows of queries and keys of llama: `LlamaModel.permute`."""
    return values.reshape(heads, 2, values.shape[0] // heads // 2, *values.shape[1:]).swapaxes(1, 2).reshape(values.shape)


def llama3_factors(config):
    """What the converter writes as rope_freqs.weight (convert_hf_to_gguf.py, LlamaModel.generate_extra_tensors)."""
    rope = config.rope_parameters
    frequencies = rope["rope_theta"] ** -(np.arange(0, config.head_dim, 2) / config.head_dim)
    low, high = (rope["original_max_position_embeddings"] / rope[f"{end}_freq_factor"] for end in ("low", "high"))
    factors = []
    for wavelength in 2 * np.pi / frequencies:
        smooth = (rope["original_max_position_embeddings"] / wavelength - rope["low_freq_factor"]) / (
            rope["high_freq_factor"] - rope["low_freq_factor"])
        between = 1 / ((1 - smooth) / rope["factor"] + smooth)
        factors.append(1 if wavelength < high else rope["factor"] if wavelength > low else between)
    return np.array(factors, dtype=np.float32)


def write_gguf(path, architecture, model):
    config = model.config
    writer = GGUFWriter(path, architecture)
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    writer.add_type("model")
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    if architecture != "qwen2":
        writer.add_key_length(head_dim)
        writer.add_value_length(head_dim)
    rope = config.rope_parameters
    whole = rope.get("full_attention", rope)
    writer.add_rope_freq_base(whole["rope_theta"])
    if whole["rope_type"] == "linear":
        writer.add_rope_scaling_type(RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(whole["factor"])
    if architecture == "gemma3":
        writer.add_sliding_window(config.sliding_window)
    if whole["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", llama3_factors(config))
    for name, parameter in model.named_parameters():
        values = parameter.detach().numpy()
        if architecture == "llama" and ("q_proj" in name or "k_proj" in name):
            values = permuted(values, config.num_attention_heads if "q_proj" in name else config.num_key_value_heads)
        if "norm" in name and architecture == "gemma3":
            values = values + 1
        half = values.ndim == 2
        writer.add_tensor(gguf_name(name, architecture), values.astype(np.float16 if half else np.float32),
                          raw_dtype=GGMLQuantizationType.F16 if half else GGMLQuantizationType.F32)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def gguf_name(name, architecture):
    if name.startswith("model.embed_tokens"):
        return "token_embd.weight"
    if name.startswith("lm_head"):
        return "output.weight"
    if name.startswith("model.norm"):
        return "output_norm.weight"
    _, _, layer, *what, kind = name.split(".")
    return f"blk.{layer}.{(GEMMA_NAMES if architecture == 'gemma3' else NAMES)['.'.join(what)]}.{kind}"


def samples(vocabulary, random):
    made = []
    for prompt, response in ((7, 5), (4, 9)):
        teacher = []
        for _ in range(response):
            logprobs = np.log(np.sort(random.dirichlet(np.ones(TOP + 3)))[::-1][:TOP])
            teacher.append({"tokens": random.permutation(vocabulary)[:TOP].tolist(), "logprobs": logprobs.tolist()})
        tokens = random.integers(0, vocabulary, response)
        # Of some places the sampled token is among the teacher's.
        for place in range(0, response, 2):
            tokens[place] = teacher[place]["tokens"][place % TOP]
        made.append({"prompt": random.integers(0, vocabulary, prompt).tolist(), "response": tokens.tolist(), "teacher": teacher})
    return made


def logits_of(model, sample):
    tokens = torch.tensor([sample["prompt"] + sample["response"][:-1]])
    return model(tokens).logits[0, len(sample["prompt"]) - 1:]


def add_log_probabilities(model, made, random):
    """Of the sampled tokens, when they were sampled and without adapter: near what the model says now."""
    for sample in made:
        own = torch.log_softmax(logits_of(model, sample), -1).gather(-1, torch.tensor(sample["response"]).unsqueeze(-1))
        for key in ("old", "base"):
            sample[key] = (own.squeeze(-1).detach().numpy() + random.uniform(-0.6, 0.6, len(sample["response"]))).tolist()


def token_losses(objective, logits, sample):
    """CLaaS, B4, for each token, and Schulman's k3."""
    p = torch.log_softmax(logits, -1)
    index = torch.tensor([place["tokens"] for place in sample["teacher"]])
    q = torch.tensor([place["logprobs"] for place in sample["teacher"]], dtype=torch.float64)
    own = p.gather(-1, torch.tensor(sample["response"]).unsqueeze(-1)).squeeze(-1)
    teacher = q.exp() / q.exp().sum(-1, keepdim=True).clamp(min=1e-8)
    s = p.gather(-1, index)
    d = (own - torch.tensor(sample["base"], dtype=torch.float64)).clamp(-20, 20)
    k3 = d.exp() - 1 - d
    if objective == "distillation":
        return (teacher * (teacher.log() - s)).sum(-1), k3
    if objective == "sdpo-student":
        among = index == torch.tensor(sample["response"]).unsqueeze(-1)
        floor = torch.where(among.any(-1), torch.where(among, q, 0.0).sum(-1), -20.0)
        loss = (own - floor).detach() * own
        loss = loss * torch.clamp(10 / loss.detach().abs(), max=1)
    else:
        student = s.exp() / s.exp().sum(-1, keepdim=True).clamp(min=1e-8)
        mixed = SDPO["mixture"] * teacher + (1 - SDPO["mixture"]) * student
        by_teacher = (teacher * (teacher.log() - mixed.log())).sum(-1)
        by_student = (student * (student.log() - mixed.log())).sum(-1)
        loss = by_student + SDPO["mixture"] * (by_teacher - by_student)
    ratio = (own.detach() - torch.tensor(sample["old"], dtype=torch.float64)).clamp(-20, 20).exp().clamp(max=SDPO["isClip"])
    return loss * ratio, k3


def losses(objective, model, made):
    distill, kl = zip(*((each.mean() for each in token_losses(objective, logits_of(model, sample), sample)) for sample in made))
    weight = 0 if objective == "distillation" else SDPO["klWeight"]
    distill, kl = (torch.stack(each).mean() for each in (distill, kl))
    return distill, kl, distill + weight * kl


def short(name):
    """«0.q_proj.a»"""
    parts = name.split(".")
    module = next(part for part in parts if part in MODULES)
    return f"{parts[parts.index('layers') + 1]}.{module}.{'a' if 'lora_A' in name else 'b'}"


def main():
    for architecture, (kind, config) in MODELS.items():
        random = np.random.default_rng(15)
        torch.manual_seed(15)
        model = kind(config).double().eval()
        randomise(model, random)
        write_gguf(FOLDER / f"{architecture}.gguf", architecture, model)
        made = samples(config.vocab_size, random)
        model = get_peft_model(model, LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=MODULES)).double().eval()
        adapter = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
        tensors = {}
        for name, parameter in adapter.items():
            parameter.data = torch.tensor(random.normal(0, 0.15, parameter.shape).astype(np.float32).astype(np.float64))
            tensors[f"adapter.{short(name)}"] = parameter.detach().numpy().astype(np.float32)
        add_log_probabilities(model, made, random)
        for at, sample in enumerate(made):
            tensors[f"logits.{at}"] = logits_of(model, sample).detach().numpy().astype(np.float32)
        expected = {}
        for objective in ("distillation", "sdpo", "sdpo-student"):
            model.zero_grad()
            distill, kl, loss = losses(objective, model, made)
            loss.backward()
            expected[objective] = {"distill": distill.item(), "kl": kl.item(), "loss": loss.item()}
            for name, parameter in adapter.items():
                tensors[f"{objective}.{short(name)}"] = parameter.grad.numpy().astype(np.float32)
        # One step along the last gradient.
        norm = torch.nn.utils.clip_grad_norm_(adapter.values(), MAX_GRAD_NORM)
        torch.optim.AdamW(adapter.values(), lr=LEARNING_RATE, betas=(0.9, 0.999), weight_decay=WEIGHT_DECAY).step()
        for name, parameter in adapter.items():
            tensors[f"stepped.{short(name)}"] = parameter.detach().numpy().astype(np.float32)
        save_file(tensors, FOLDER / f"{architecture}.safetensors")
        (FOLDER / f"{architecture}.safetensors").chmod(0o644)
        settings = {"rank": RANK, "alpha": ALPHA, "modules": MODULES, "learningRate": LEARNING_RATE, "weightDecay": WEIGHT_DECAY,
                    "maxGradNorm": MAX_GRAD_NORM, **SDPO}
        text = {"settings": settings, "samples": made, "expected": expected, "gradNorm": norm.item()}
        (FOLDER / f"{architecture}.json").write_text(json.dumps(text) + "\n")
        print(architecture, expected, norm.item())


main()
