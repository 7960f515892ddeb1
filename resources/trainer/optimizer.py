"""AdamW (https://arxiv.org/abs/1711.05101) as PyTorch takes it, with its state as the files have it. PyTorch's own brings its compiler along: seconds and 200 MB."""
import os

import torch
from safetensors import safe_open
from wire import Failure, write_tensors

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
CLIP_EPSILON = 1e-6
"""Added to a norm that is divided by, as PyTorch's clip_grad_norm_ does."""
FILE = "optimizer.safetensors"


class AdamW:
    """@ivar steps, means, squares: what it keeps of the gradients that it has seen; the two by the names of the parameters"""

    def __init__(self, parameters, folder):
        """@param folder where a state may lie; where there is none, it begins anew"""
        self.parameters, self.steps = parameters, 0
        self.means = {name: torch.zeros_like(values, requires_grad=False) for name, values in parameters.items()}
        self.squares = {name: torch.zeros_like(values, requires_grad=False) for name, values in parameters.items()}
        if os.path.exists(os.path.join(folder, FILE)):
            self.load(os.path.join(folder, FILE))

    def norm(self):
        """Of all gradients together."""
        norms = [torch.linalg.vector_norm(values.grad) for values in self.parameters.values() if values.grad is not None]
        return torch.linalg.vector_norm(torch.stack(norms)).item()

    @torch.no_grad()
    def step(self, norm, settings):
        """Of what has a gradient. Weights decay apart from it; it is scaled down first where it is too long."""
        self.steps += 1
        most, rate = settings["maxGradNorm"], settings["learningRate"]
        clip = min(1, most / (norm + CLIP_EPSILON)) if most > 0 else 1
        root = (1 - BETA_2 ** self.steps) ** 0.5
        for name, values in self.parameters.items():
            if values.grad is None:
                continue
            gradient, mean, square = values.grad * clip, self.means[name], self.squares[name]
            mean.lerp_(gradient, 1 - BETA_1)
            square.mul_(BETA_2).addcmul_(gradient, gradient, value=1 - BETA_2)
            values.mul_(1 - rate * settings["weightDecay"])
            values.addcdiv_(mean, square.sqrt() / root + EPSILON, value=-rate / (1 - BETA_1 ** self.steps))
            values.grad = None

    def save(self, folder):
        tensors = {f"{name}.{kind}": values for kind, state in self.kinds() for name, values in state.items()}
        write_tensors(tensors, os.path.join(folder, FILE), {"steps": str(self.steps)})

    def load(self, path):
        """@raise Failure where the file is damaged, or of another adapter"""
        try:
            with safe_open(path, "pt") as file:
                self.steps = int((file.metadata() or {})["steps"])
                kept = {name: file.get_tensor(name) for name in file.keys()}
        except Exception as error:
            raise Failure("ADAPTER_INVALID", f"the optimizer's state cannot be read: {error}") from error
        if self.steps < 0 or len(kept) != 2 * len(self.means):
            raise Failure("ADAPTER_INVALID", "the optimizer's state is of another adapter")
        for kind, state in self.kinds():
            for name, values in state.items():
                values.copy_(checked(kept.get(f"{name}.{kind}"), values, name))
        if any((values < 0).any() for values in self.squares.values()):
            raise Failure("ADAPTER_INVALID", "a mean of squares is below 0")

    def kinds(self):
        return ("means", self.means), ("squares", self.squares)


def checked(kept, values, name):
    if kept is None or kept.shape != values.shape or not kept.is_floating_point() or not kept.isfinite().all():
        raise Failure("ADAPTER_INVALID", f"the optimizer's state does not fit {name}")
    return kept
