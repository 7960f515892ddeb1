"""What the process can be asked: to open a model with its adapter, to take a step, to say what a response is worth, to save."""
import torch
from adapter import Adapter
from memory import peak_bytes
from model import Model
from optimizer import AdamW
from safetensors.torch import load_file
from training import Training
from weights import Weights
from wire import Failure

WHOLE = ("prompt", "response", "teacherTokens")
"""Of a sample; they come as single precision, which holds every token's number."""


class Session:
    def __init__(self):
        self.training = None

    def do(self, request):
        """@returns what goes into the answer"""
        return getattr(self, f"do_{request['do']}")(request)

    def do_open(self, request):
        if request["threads"]:
            torch.set_num_threads(request["threads"])
        device = request["device"]
        weights = Weights(request["model"], request["tensors"])
        model = Model(weights, request["shape"], torch.bfloat16 if device == "cuda" else torch.float32, device)
        settings, layers = request["settings"], request["shape"]["layers"]
        adapter = Adapter(request["adapter"], request["scale"], layers - settings.get("lastLayers", layers), device)
        optimizer = AdamW(adapter.parameters, request["adapter"])
        self.training = Training(model, adapter, optimizer, settings)
        return {"peakBytes": peak_bytes(device)}

    def do_step(self, request):
        training = self.opened()
        figures = training.step(samples_of(request["samples"], training.model.device), request["rate"])
        return {"figures": figures, "peakBytes": peak_bytes(training.model.device)}

    def do_score(self, request):
        training = self.opened()
        [sample] = samples_of(request["samples"], training.model.device)
        return {"logprobs": training.score(sample)}

    def do_save(self, request):
        training = self.opened()
        training.adapter.save(request["folder"])
        training.optimizer.save(request["folder"])
        return {}

    def opened(self):
        if self.training is None:
            raise Failure("BAD_REQUEST", "no model is open")
        return self.training


def samples_of(path, device):
    """Out of a file with the tensors `<sample>.<what>`."""
    samples = {}
    for name, values in load_file(path).items():
        index, what = name.split(".")
        samples.setdefault(int(index), {})[what] = (values.long() if what in WHOLE else values.float()).to(device)
    return [samples[index] for index in sorted(samples)]
