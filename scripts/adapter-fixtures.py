"""Adapters as PEFT itself writes them, for tests; and whether it reads ours.

Needs peft, torch and transformers (made with 0.21.2, 2.15.0 and 5.24.0), on the CPU:

    python scripts/adapter-fixtures.py make test/fixtures/adapters
    python scripts/adapter-fixtures.py check FOLDER test/fixtures/adapters/f32

`check` loads FOLDER on the same model, and compares every matrix and what the model says with those of the fixture, bit by bit.
"""

import json
import sys
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def model():
    torch.manual_seed(1)
    shape = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
    return LlamaForCausalLM(LlamaConfig(vocab_size=32, max_position_embeddings=64, **shape)).eval()


def adapted(**more):
    config = LoraConfig(r=2, lora_alpha=4, target_modules=MODULES, task_type="CAUSAL_LM", base_model_name_or_path="small", **more)
    made = get_peft_model(model(), config)
    torch.manual_seed(2)
    for name, weight in made.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(weight, std=0.2)
    return made


def make(folder):
    for name, kind in {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}.items():
        save(adapted().to(kind), folder / name)
    for name, more in {
        "dora": dict(use_dora=True),
        "rslora": dict(use_rslora=True),
        "ranks": dict(rank_pattern={"q_proj": 4}),
        "bias": dict(lora_bias=True),
        "embeddings": dict(modules_to_save=["embed_tokens"]),
    }.items():
        save(adapted(**more), folder / name)


def save(made, folder):
    made.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    if folder.name not in ("f32", "f16", "bf16"):  # refused by its configuration
        (folder / "adapter_model.safetensors").unlink()
        return
    values = {
        name: weight.detach().float().flatten().tolist()
        for name, weight in made.named_parameters()
        if "lora_A" in name or "lora_B" in name
    }
    short = {name.replace(".default", ""): [sum(each), each[0], each[-1]] for name, each in values.items()}
    (folder / "expected.json").write_text(json.dumps(short, indent=1) + "\n")


def check(ours, theirs):
    matrices = []
    said = []
    for folder in (ours, theirs):
        made = PeftModel.from_pretrained(model(), folder).eval()
        matrices.append({name: weight.detach() for name, weight in made.named_parameters() if "lora_" in name})
        said.append(made(torch.tensor([[1, 5, 9, 3]])).logits.detach())
    one, other = matrices
    assert one.keys() == other.keys(), one.keys() ^ other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one), "the matrices differ"
    assert torch.equal(*said), "the answers differ"
    assert not torch.equal(said[0], model()(torch.tensor([[1, 5, 9, 3]])).logits), "the adapter does nothing"
    print(f"{len(one)} matrices and the logits are equal, bit by bit")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        check(Path(sys.argv[2]), Path(sys.argv[3]))
