"""How much memory was in use at the most."""
import sys

import torch


def peak_bytes(device):
    """Of the GPU where one computes, of the process elsewhere; 0 where the system does not tell."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated()
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
