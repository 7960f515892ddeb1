"""The adapter's matrices, as parameters and as the file that PEFT has of them (src-main/learning/formats/); the other side has checked that file."""
import os
import re
from safetensors import safe_open
from wire import Failure, write_tensors

FILE = "adapter_model.safetensors"
NAME = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.(self_attn|mlp)\.(\w+)\.lora_([AB])\.weight")
PLACES = {"gate_proj": "mlp", "up_proj": "mlp", "down_proj": "mlp"}


class Adapter:
    """
    @ivar parameters by `<layer>.<module>.<a or b>`, in single precision
    @ivar learning those of them that learn: of a layer from `first` on
    """

    def __init__(self, folder, scale, first, device):
        self.scale, self.parameters = scale, {}
        with safe_open(os.path.join(folder, FILE), "pt") as file:
            for name in file.keys():
                self.parameters[short(name)] = file.get_tensor(name).float().to(device)
        self.learning = {name: values.requires_grad_() for name, values in self.parameters.items() if layer_of(name) >= first}
        if not self.learning:
            raise Failure("BAD_REQUEST", "the adapter has no matrices in the layers that are to learn")
        self.first_layer = min(map(layer_of, self.learning))

    def pair(self, layer, module):
        a = self.parameters.get(f"{layer}.{module}.a")
        return None if a is None else (a, self.parameters[f"{layer}.{module}.b"])

    def save(self, folder):
        write_tensors({peft_name(name): values for name, values in self.parameters.items()}, os.path.join(folder, FILE), {})


def layer_of(name):
    return int(name.split(".")[0])


def short(name):
    found = NAME.fullmatch(name)
    if found is None:
        raise Failure("ADAPTER_INVALID", f"{name} is no matrix of an adapter")
    layer, _, module, part = found.groups()
    return f"{layer}.{module}.{part.lower()}"


def peft_name(name):
    layer, module, part = name.split(".")
    return f"base_model.model.model.layers.{layer}.{PLACES.get(module, 'self_attn')}.{module}.lora_{part.upper()}.weight"
