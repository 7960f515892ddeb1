"""Judges one repository on a graphics card, in a container that has nothing else: docs/competitions.md says by which rules.

Reads a line of JSON (see Task in src-main/subnets/quasar/gpu/judge-program.ts), and after it the repository as tar in base64. Prints one line: the secret of the
task, a blank, and JSON. What was submitted runs in a process of its own, never in this one, which cannot be looked into or written to from there.
"""
import ast
import base64
import ctypes
import hashlib
import io
import json
import os
import random
import select
import subprocess
import sys
import tarfile
import tempfile
import time
import types

import torch
import torch.multiprocessing
from multiprocessing.reduction import ForkingPickler

KERNELS = ("chunk.py", "fused_recurrent.py", "chunk_intra_token_parallel.py", "forward_substitution.py", "gate.py")
NEEDED = {"autocast_custom_bwd", "autocast_custom_fwd", "autotune_cache_kwargs", "check_shared_mem", "input_guard"}
FORBIDDEN = ("fla.ops.gla", "fla.ops.kda")
ROOM = "fla/ops/quasar"
MOST_FILES, MOST_BYTES = 5_000, 64 << 20

HEADS, CHANNELS = 8, 64
PIECES, WARM_UPS, LEAST_TIMES = 20, 3, 10
# In calls alone. The first ones of a size compile kernels, and try which is fastest.
START_SECONDS, CALL_SECONDS, CHECK_SECONDS, MEASURE_SECONDS = 120, 60, 150, 60
# Of the sum of absolute values that an element is the sum of: six roundings of bfloat16.
TOLERANCE, SMALLEST = 2**-6, 1e-30


class Fault(Exception):
    """What is wrong with a submission. @param fault one word @param detail for people"""

    def __init__(self, fault, detail=""):
        super().__init__(fault)
        self.fault, self.detail = fault, detail[:300]


# What it consists of.


def unpacked(tar, folder):
    """Plain files alone: no links, nothing outside, neither of the forbidden packages."""
    count = total = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(tar), mode="r:") as archive:
            for entry in archive:
                parts = entry.name.split("/")
                if not entry.isreg() or entry.name.startswith("/") or ".." in parts or "\0" in entry.name:
                    continue
                count, total = count + 1, total + entry.size
                if count > MOST_FILES or total > MOST_BYTES:
                    raise Fault("too-large")
                if ".".join(parts).startswith(tuple(name + "." for name in FORBIDDEN)):
                    continue
                path = os.path.join(folder, *parts)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(archive.extractfile(entry).read())
    except (tarfile.TarError, OSError, ValueError) as error:
        raise Fault("files", f"{type(error).__name__}: {error}") from None


def imports_of(tree, package):
    """What a file imports, as absolute names: of modules, and of what is taken from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, None
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*up, *([node.module] if node.module else [])])
            for name in node.names:
                yield module, name.name


def check_imports(folder):
    """The rules of form, by reading alone: nothing is imported for it. @throws Fault"""
    room = os.path.join(folder, *ROOM.split("/"))
    for name in KERNELS:
        if not os.path.isfile(os.path.join(room, name)):
            raise Fault("files", f"{ROOM}/{name}")
    for place, _, names in os.walk(room):
        for name in sorted(names):
            if name.endswith(".py"):
                check_file(os.path.join(place, name), folder)


def check_file(path, folder):
    shown = os.path.relpath(path, folder)
    package = shown.split("/")[:-1]
    try:
        with open(path, "rb") as file:
            found = list(imports_of(ast.parse(file.read()), package))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Fault("files", f"{shown}: {type(error).__name__}") from None
    for module, name in found:
        for one in (module, f"{module}.{name}"):
            if any(one == forbidden or one.startswith(forbidden + ".") for forbidden in FORBIDDEN):
                raise Fault("imports", f"{shown}: {one}")
    if shown == f"{ROOM}/chunk.py":
        lacking = NEEDED - {name for module, name in found if module == "fla.utils"}
        if lacking:
            raise Fault("imports", f"{shown}: fla.utils.{sorted(lacking)[0]}")


# How it is run.


def layout(tokens, heads, dk, dv):
    """Where everything lies in the one buffer that judge and submission share."""
    keys, values, state = (1, tokens, heads, dk), (1, tokens, heads, dv), (1, heads, dk, dv)
    kinds = {
        "q": ("bfloat16", keys),
        "k": ("bfloat16", keys),
        "v": ("bfloat16", values),
        "g": ("float32", keys),
        "before": ("float32", state),
        "out": ("bfloat16", values),
        "after": ("float32", state),
    }
    places, at = {}, 0
    for name, (dtype, shape) in kinds.items():
        places[name] = {"from": at, "dtype": dtype, "shape": list(shape)}
        at += -(-getattr(torch, dtype).itemsize * torch.Size(shape).numel() // 256) * 256
    return places, at


def hide():
    """From here on no process beside this one may look into it, or write to what it has open. What loads CUDA was done before."""
    if ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) != 0:
        raise OSError("prctl")


class Submission:
    """A submission in its own process. What it computes is taken out of the buffer as soon as it says that it is done: what comes later comes too late."""

    def __init__(self, folder, runner, device, most):
        self.device = torch.device(device)
        self.seconds = 0  # in calls
        if device == "cpu":
            path = os.path.join(tempfile.mkdtemp(), "buffer")
            self.buffer = torch.from_file(path, shared=True, size=most, dtype=torch.uint8)
            told = {"file": path, "bytes": most}
        else:
            self.buffer = torch.empty(most, dtype=torch.uint8, device=device)
            told = {"handle": base64.b64encode(bytes(ForkingPickler.dumps(self.buffer))).decode()}
        hide()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-c", runner],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.mkdtemp(),
            env={**os.environ, "TRITON_CACHE_DIR": tempfile.mkdtemp()},
        )
        self.say({"buffer": told, "folder": folder})
        self.heard("ready", "loads", START_SECONDS)

    def say(self, what):
        try:
            self.process.stdin.write((json.dumps(what) + "\n").encode())
            self.process.stdin.flush()
        except OSError:
            raise Fault("died") from None

    def heard(self, wanted, fault, seconds=CALL_SECONDS):
        """@throws Fault where it says something else, nothing in time, or is gone"""
        line, end = b"", time.monotonic() + seconds
        while not line.endswith(b"\n") and len(line) < 1_000:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise Fault("late")
            piece = os.read(self.process.stdout.fileno(), 1)
            if not piece:
                raise Fault("died")
            line += piece
        word, _, detail = line.decode("utf-8", "replace").strip().partition(" ")
        if word != wanted:
            raise Fault(fault, detail)

    def sync(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def call(self, given, sizes):
        """@returns out, the state after it, and milliseconds from before it had anything of the input until all of its output was here"""
        places, _ = layout(*sizes)
        views = {name: self.view(place) for name, place in places.items()}
        for name in ("out", "after"):
            views[name].fill_(float("nan"))
        self.sync()
        start = time.perf_counter()
        for name, tensor in given.items():
            views[name].copy_(tensor)
        self.sync()
        self.say(places)
        self.heard("done", "traps")
        out, after = views["out"].clone(), views["after"].clone()
        self.sync()
        seconds = time.perf_counter() - start
        self.seconds += seconds
        for name, tensor in given.items():
            if not torch.equal(views[name], tensor):
                raise Fault("tampers", name)
        return out, after, seconds * 1_000

    def view(self, place):
        dtype = getattr(torch, place["dtype"])
        size = torch.Size(place["shape"]).numel() * dtype.itemsize
        return self.buffer[place["from"] : place["from"] + size].view(dtype).view(place["shape"])

    def end(self):
        self.process.kill()


# Whether it is right.


def held(got, want, size, what):
    """Numbers against those of the reference, each within its tolerance. @throws Fault"""
    off = (got.double() - want).abs() / (TOLERANCE * size + SMALLEST)
    off = torch.where(torch.isfinite(off), off, torch.inf)
    worst = int(off.argmax())
    if off.flatten()[worst] > 1:
        numbers = (float(got.flatten()[worst]), float(want.flatten()[worst]))
        raise Fault("wrong", f"{what}: {numbers[0]:.6g} instead of {numbers[1]:.6g}")


def expected(reference, given, weights=None):
    """In double precision, with the sizes by which it may be off; of some sums over the value channels, where there are weights."""
    q, k, v, g, before = (given[name].double() for name in ("q", "k", "v", "g", "before"))
    absolute = [x.abs() for x in (q, k, v, g, before)]
    if weights is not None:
        v, before = v @ weights, before @ weights
        absolute[2], absolute[4] = absolute[2] @ weights.abs(), absolute[4] @ weights.abs()
    return reference(q, k, v, g, before), reference(*absolute)


def compare(reference, given, out, after, what, weights=None):
    (want_out, want_after), (out_size, after_size) = expected(reference, given, weights)
    got_out, got_after = out.double(), after.double()
    if weights is not None:
        got_out, got_after = got_out @ weights, got_after @ weights
    held(got_out, want_out, out_size, what)
    held(got_after, want_after, after_size, f"{what}, state")


def usual_gate(shape, generator):
    """Near 1, so that what was long ago still counts."""
    return 1 - torch.rand(shape, generator=generator) ** 4 * 0.1


def normal(shape, generator):
    return torch.randn(shape, generator=generator)


def seldom(share, one, other):
    """@returns a gate that is `one` for a share of its elements"""

    def gate(shape, generator):
        picked = torch.rand(shape, generator=generator) < share
        return torch.where(picked, torch.tensor(float(one)), other(shape, generator))

    return gate


def always(number):
    return lambda shape, generator: torch.full(shape, float(number))


# Kinds of inputs that some way to compute fails at: what of them is drawn otherwise than usual.
KINDS = {
    "usual": {},
    "as measured": {"sizes": (HEADS, CHANNELS, CHANNELS)},
    "one token": {"tokens": 1},
    "all is kept": {"g": always(1)},
    "nothing is kept": {"g": always(0)},
    "some is forgotten at once": {"g": seldom(0.05, 0, usual_gate)},
    "all but forgotten": {"g": seldom(0.5, 1e-30, lambda shape, generator: torch.rand(shape, generator=generator))},
    "kept or not": {"g": seldom(0.5, 0, always(1))},
    "large": {"v": lambda shape, generator: torch.randn(shape, generator=generator) * 1e10},
    "small": {"v": lambda shape, generator: torch.randn(shape, generator=generator) * 1e-10},
    "zeros": {"v": always(0), "before": always(0)},
    "negative": {name: lambda shape, generator: -torch.rand(shape, generator=generator) for name in ("q", "k", "v")},
    "long": {"tokens": 1_500},
}


def draws_of(seed, label):
    return torch.Generator().manual_seed(int.from_bytes(hashlib.sha256(f"{seed} {label}".encode()).digest()[:7], "big"))


def drawn(sizes, kind, generator, device):
    tokens, heads, dk, dv = sizes
    keys, values, state = (1, tokens, heads, dk), (1, tokens, heads, dv), (1, heads, dk, dv)
    draw = {"q": normal, "k": normal, "v": normal, "g": usual_gate, "before": normal, **kind}
    given = {}
    for name, shape in (("q", keys), ("k", keys), ("v", values), ("g", keys), ("before", state)):
        dtype = torch.bfloat16 if name in ("q", "k", "v") else torch.float32
        given[name] = draw[name](shape, generator).to(dtype).to(device)
    return given


def check(submission, reference, seed):
    """Every kind twice in a row, the second from the state of the first. @throws Fault"""
    chance = random.Random(f"{seed} sizes")
    for number, (name, kind) in enumerate(KINDS.items()):
        heads, dk, dv = kind.get("sizes", (chance.randint(1, HEADS), chance.choice((64, 128)), chance.choice((64, 128))))
        before = None
        for half in range(2):
            sizes = (kind.get("tokens", chance.randint(1, 600)), heads, dk, dv)
            given = drawn(sizes, kind, draws_of(seed, f"{number} {half}"), submission.device)
            if before is not None:
                given["before"] = before
            out, before, _ = submission.call(given, sizes)
            compare(reference, given, out, before, name)
            if submission.seconds > CHECK_SECONDS:
                raise Fault("late")


# How fast it is.


def measure(submission, reference, seed, tokens):
    """
    A run of so many tokens in pieces, each from the state of the one before, all of them looked at. Between them come all other kinds of inputs in the same size, where
    they are drawn: what is right for usual inputs alone cannot know when. @returns milliseconds of each piece that counts @throws Fault
    """
    end = submission.seconds + MEASURE_SECONDS
    sizes = (-(-tokens // PIECES), HEADS, CHANNELS, CHANNELS)
    before, times = torch.zeros(1, HEADS, CHANNELS, CHANNELS, device=submission.device), []
    plan = [None] * PIECES + [name for name, kind in KINDS.items() if "tokens" not in kind]
    random.Random(f"{seed} plan").shuffle(plan)
    for number, name in enumerate([None] * WARM_UPS + plan):
        generator = draws_of(seed, f"piece {number}")
        given = drawn(sizes, KINDS[name] if name else {}, generator, submission.device)
        if not name:
            given["before"] = before
        out, after, ms = submission.call(given, sizes)
        compare(reference, given, out, after, name or "measured", weights_of(generator).to(submission.device))
        if not name:
            before = after
        if not name and number >= WARM_UPS:
            times.append(ms)
        if submission.seconds > end:
            break
    if len(times) < LEAST_TIMES:
        raise Fault("late")
    return times


def weights_of(generator):
    """Drawn after the call: all value channels summed up, none of them with nearly nothing; and one alone."""
    signs = torch.randint(0, 2, (CHANNELS,), generator=generator) * 2 - 1
    weights = torch.zeros(CHANNELS, 2, dtype=torch.float64)
    weights[:, 0] = signs * (0.5 + torch.rand(CHANNELS, generator=generator))
    weights[int(torch.randint(0, CHANNELS, (1,), generator=generator)), 1] = 1
    return weights


def judged(task, tar):
    reference = types.ModuleType("reference")
    exec(compile(task["reference"], "reference.py", "exec"), vars(reference))
    folder = tempfile.mkdtemp()
    if tar is None:  # the reference runs as a submission does
        os.makedirs(os.path.join(folder, ROOM))
        with open(os.path.join(folder, ROOM, "chunk.py"), "w") as file:
            file.write(task["reference"])
    else:
        unpacked(tar, folder)
        check_imports(folder)
    sizes = [(1_500, HEADS, 128, 128), (-(-task["tokens"] // PIECES), HEADS, CHANNELS, CHANNELS)]
    submission = Submission(folder, task["runner"], task["device"], max(layout(*one)[1] for one in sizes))
    try:
        check(submission, reference.gated_linear_attention, task["seed"])
        return measure(submission, reference.gated_linear_attention, task["seed"], task["tokens"])
    finally:
        submission.end()


def main():
    task = json.loads(sys.stdin.readline())
    rest = sys.stdin.read()
    tar = base64.b64decode(rest) if rest else None
    try:
        if task["device"] == "cuda" and not torch.cuda.is_available():
            said = {"ours": "no graphics card"}
        else:
            said = {"times": judged(task, tar)}
    except Fault as fault:
        said = {"fault": fault.fault, "detail": fault.detail}
    # On a line of its own, whatever somebody has written there.
    print(f"\n{task['secret']} {json.dumps(said)}", flush=True)


main()
