"""An adapter on its way: the loss of some samples, and steps along its gradient."""
import math
import time

import torch
from loss import token_losses
from wire import Failure

PLACES = 64
"""Places whose logits are there at once: bounds what a large vocabulary takes."""


class Training:
    def __init__(self, model, adapter, optimizer, settings):
        self.model, self.adapter, self.optimizer, self.settings = model, adapter, optimizer, settings

    def step(self, samples, rate):
        """One optimizer step: the mean of the samples' losses, each a mean over its response's tokens.
        @param rate share of the learning rate"""
        begun = time.perf_counter()
        for values in self.adapter.learning.values():
            values.grad = torch.zeros_like(values)
        sums = {"distill": 0.0, "kl": 0.0, "ratio": 0.0, "clipped": 0.0}
        for sample in samples:
            self.add_gradients(sample, 1 / len(samples), sums)
        norm = self.optimizer.norm()
        loss = sums["distill"] + self.settings["klWeight"] * sums["kl"]
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise Failure("NOT_FINITE", f"loss {loss}, norm of the gradient {norm}")
        self.optimizer.step(norm, {**self.settings, "learningRate": rate * self.settings["learningRate"]})
        ratios = {"isRatio": sums["ratio"], "clipFraction": sums["clipped"]} if self.settings["objective"] == "sdpo" else {}
        tokens = sum(len(sample["response"]) for sample in samples)
        return {"loss": loss, "distillLoss": sums["distill"], "klLoss": sums["kl"], "gradNorm": norm, **ratios, "tokens": tokens,
                "seconds": time.perf_counter() - begun}

    def score(self, sample):
        """Natural-log probabilities of a response's tokens."""
        with torch.no_grad():
            rows = self.rows(sample)
            response = sample["response"]
            found = []
            for at in range(0, len(response), PLACES):
                logprobs = torch.log_softmax(self.model.logits(rows[at:at + PLACES]), -1)
                found += logprobs.gather(-1, response[at:at + PLACES, None]).squeeze(-1).tolist()
        if not all(map(math.isfinite, found)):
            raise Failure("NOT_FINITE", "a log-probability is no number")
        return found

    def rows(self, sample, inputs=None):
        """What the last layer gives before each token of the response. The last token is only answered for: nothing comes after it."""
        tokens = torch.cat((sample["prompt"], sample["response"][:-1]))
        return self.model.stream(tokens, self.adapter, inputs)[len(sample["prompt"]) - 1:]

    def add_gradients(self, sample, share, sums):
        """The head some places at a time, to the rows; from there through the layers at once."""
        inputs = []
        rows = self.rows(sample, inputs).requires_grad_()
        weight = share / len(sample["response"])
        for at in range(0, len(rows), PLACES):
            part = {name: values[at:at + PLACES] for name, values in sample.items() if name != "prompt"}
            distill, kl, ratio = token_losses(self.model.logits(rows[at:at + PLACES]), part, self.settings)
            (weight * (distill + self.settings["klWeight"] * kl).sum()).backward()
            for name, values in (("distill", distill), ("kl", kl), ("ratio", ratio), ("clipped", ratio >= self.settings["isClip"])):
                sums[name] += weight * values.detach().sum().item()
        gradient = torch.zeros_like(inputs[-1])
        gradient[len(sample["prompt"]) - 1:] = rows.grad
        self.model.back(inputs, gradient, self.adapter)
