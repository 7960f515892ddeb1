"""
A transformer of the architectures llama, qwen2, qwen3 and gemma3, with an adapter beside its matrices. It computes what
src-main/learning/training/model/ does, by the same shape: on a GPU its products in bfloat16 and the
stream between layers in single precision, elsewhere all in single precision.
"""
import torch
import torch.nn.functional as F
from weights import in_peft_order

MODULES = {"q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output",
           "gate_proj": "ffn_gate", "up_proj": "ffn_up", "down_proj": "ffn_down"}
BIASED = ("q_proj", "k_proj", "v_proj")
NORMS = {"attn_norm": True, "ffn_norm": True, "attn_q_norm": "headNorms", "attn_k_norm": "headNorms",
         "post_attention_norm": "postNorms", "post_ffw_norm": "postNorms"}


class Layer:
    """Frozen numbers of one layer."""

    def __init__(self, weights, shape, index, dtype, device):
        paired = {"q_proj": shape["heads"], "k_proj": shape["kvHeads"]} if shape["pairedRows"] else {}

        def rows(module, kind, of):
            return in_peft_order(weights.read(f"blk.{index}.{MODULES[module]}.{kind}", of, device), paired.get(module))

        self.matrices = {module: rows(module, "weight", dtype) for module in MODULES}
        self.biases = {module: rows(module, "bias", dtype) for module in BIASED} if shape["biases"] else {}
        self.norms = {norm: weights.read(f"blk.{index}.{norm}.weight", torch.float32, device)
                      for norm, when in NORMS.items() if when is True or shape[when]}


class Model:
    def __init__(self, weights, shape, dtype, device):
        self.shape, self.dtype, self.device = shape, dtype, device
        self.embeddings = weights.read("token_embd.weight", dtype, device)
        self.output = self.embeddings if shape["tied"] else weights.read("output.weight", dtype, device)
        self.output_norm = weights.read("output_norm.weight", torch.float32, device)
        self.factors = weights.read("rope_freqs.weight", torch.float64, "cpu") if "rope_freqs.weight" in weights else 1
        self.layers = [Layer(weights, shape, index, dtype, device) for index in range(shape["layers"])]

    def stream(self, tokens, adapter, inputs=None):
        """
        What the last layer gives for each token: tokens × width.
        @param inputs takes what each layer from the adapter's first on is given: all that the way back keeps
        """
        x = self.embeddings[tokens].float() * self.shape["embeddingScale"]
        with torch.no_grad():
            for index in range(len(self.layers)):
                if inputs is not None and index >= adapter.first_layer:
                    inputs.append(x)
                x = self.layer(x, index, adapter)
        return x

    def back(self, inputs, gradient, adapter):
        """Adds to the adapter's gradients, from that by what `stream` gave. Each layer is computed once more."""
        for index in reversed(range(adapter.first_layer, len(self.layers))):
            x = inputs.pop().requires_grad_(index > adapter.first_layer)
            self.layer(x, index, adapter).backward(gradient)
            gradient = x.grad

    def logits(self, rows):
        return F.linear(self.norm(rows, self.output_norm), self.output).float()

    def layer(self, x, index, adapter):
        layer = self.layers[index]
        linear = Linear(layer, adapter, index)
        norms = layer.norms
        found = linear("o_proj", self.attention(self.norm(x, norms["attn_norm"]), index, linear, norms))
        x = x + self.after(found, norms.get("post_attention_norm"))
        inner = self.norm(x, norms["ffn_norm"])
        gated = self.activation(linear("gate_proj", inner)) * linear("up_proj", inner)
        return x + self.after(linear("down_proj", gated), norms.get("post_ffw_norm"))

    def attention(self, x, index, linear, norms):
        shape, positions = self.shape, self.shape["positions"][index]
        tokens = x.shape[0]

        def heads(module, count, norm):
            each = linear(module, x).view(tokens, count, shape["headWidth"])
            return (self.norm(each, norms[norm]) if norm in norms else each).transpose(0, 1)

        cos, sin = self.rotations(tokens, positions)
        q = turned(heads("q_proj", shape["heads"], "attn_q_norm"), cos, sin)
        k = turned(heads("k_proj", shape["kvHeads"], "attn_k_norm"), cos, sin)
        v = heads("v_proj", shape["kvHeads"], None)
        k, v = (each.repeat_interleave(shape["heads"] // shape["kvHeads"], 0) for each in (k, v))
        window = positions.get("window", tokens)
        mask = self.mask(tokens, window) if window < tokens else None
        found = F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask, is_causal=mask is None, scale=shape["attentionScale"])
        return found[0].transpose(0, 1).reshape(tokens, -1)

    def norm(self, x, weight):
        wide = x.float()
        return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.shape["epsilon"]) * weight).to(self.dtype)

    def after(self, x, weight):
        return x if weight is None else self.norm(x, weight)

    def activation(self, x):
        return F.silu(x) if self.shape["activation"] == "silu" else F.gelu(x, approximate="tanh")

    def rotations(self, tokens, positions):
        """Cosines and sines: tokens × pairs. Angles in double precision: far ones are large."""
        width = self.shape["headWidth"]
        pairs = torch.arange(width // 2, dtype=torch.float64)
        frequencies = positions["scale"] * positions["base"] ** (-2 * pairs / width) / self.factors
        angles = torch.arange(tokens, dtype=torch.float64)[:, None] * frequencies
        return angles.cos().to(self.device, torch.float32), angles.sin().to(self.device, torch.float32)

    def mask(self, tokens, window):
        """True where a token (rows) sees another: itself and what came before it, within the window."""
        places = torch.arange(tokens, device=self.device)
        distance = places[:, None] - places
        return (distance >= 0) & (distance < window)


class Linear:
    """The matrices of a layer with what the adapter adds to them: `x·weightᵀ + bias + scale·(x·aᵀ)·bᵀ`."""

    def __init__(self, layer, adapter, index):
        self.layer, self.adapter, self.index = layer, adapter, index

    def __call__(self, module, x):
        y = F.linear(x, self.layer.matrices[module], self.layer.biases.get(module))
        pair = self.adapter.pair(self.index, module)
        if pair is None:
            return y
        a, b = (each.to(x.dtype) for each in pair)
        return y + self.adapter.scale * F.linear(F.linear(x, a), b)


def turned(x, cos, sin):
    """Rotary positions: of each head the first half and the second are the two parts of its pairs."""
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1).to(x.dtype)
