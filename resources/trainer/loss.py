"""
What a token costs, in nats: the same as src-main/learning/training/loss/, bound for bound (CLaaS, B4). Here the gradients are PyTorch's.
All take rows: one for each token of the response.
"""
import torch

LEAST_SUM = 1e-8
"""Least sum of probabilities that one divides by."""
MOST_DISTANCE = 20
"""How far a log-probability may be from another before the distance is cut off."""
TEACHER_FLOOR = -20
"""Of a token that is not among the teacher's."""
MOST_LOSS = 10
"""Beyond it a token's loss is scaled down to it, and its gradient with it."""
ABSENT = float("-inf")
"""Log-probability of a place in the teacher's rows that holds no token: rows may be of different lengths."""


def token_losses(logits, rows, settings):
    """@returns the objective's part, the k3 estimate, the importance ratio: each one value a token"""
    logprobs = torch.log_softmax(logits, -1)
    own = logprobs.gather(-1, rows["response"][:, None]).squeeze(-1)
    kl = divergence_from_base(own, rows.get("base"))
    if settings["objective"] == "distillation":
        return distillation(logprobs, rows), kl, torch.ones_like(own)
    loss = policy(own, rows) if settings["mixture"] >= 1 else divergence(logprobs, rows, settings["mixture"])
    ratio = importance(own.detach(), rows.get("old"), settings["isClip"])
    bounded = torch.clamp(MOST_LOSS / loss.detach().abs(), max=1)
    return loss * bounded * ratio, kl, ratio


def distillation(logprobs, rows):
    """Forward KL from the teacher, renormalised over its tokens, to the student over its whole vocabulary."""
    logs, probabilities = renormalised(rows["teacherLogprobs"])
    return weighted(probabilities, logs, logprobs.gather(-1, rows["teacherTokens"])).sum(-1)


def divergence(logprobs, rows, mixture):
    """`α KL(Q‖M) + (1−α) KL(P‖M)` with `M = α Q + (1−α) P`, over the teacher's tokens; both are renormalised over these."""
    known = rows["teacherLogprobs"] != ABSENT
    log_q, q = renormalised(rows["teacherLogprobs"])
    log_p, p = renormalised(logprobs.gather(-1, rows["teacherTokens"]).masked_fill(~known, ABSENT))
    mean = mixture * q + (1 - mixture) * p
    log_m = torch.where(mean > 0, mean, 1).log()
    return (mixture * weighted(q, log_q, log_m) + (1 - mixture) * weighted(p, log_p, log_m)).sum(-1)


def policy(own, rows):
    """`stopgrad(p(y) − q(y)) · p(y)`, in log-probabilities of the sampled token."""
    among = (rows["teacherTokens"] == rows["response"][:, None]) & (rows["teacherLogprobs"] != ABSENT)
    first = among.int().argmax(-1, keepdim=True)
    teacher = torch.where(among.any(-1), rows["teacherLogprobs"].gather(-1, first).squeeze(-1), TEACHER_FLOOR)
    return (own - teacher).detach() * own


def importance(own, old, clip):
    """How much likelier a token is now than when it was sampled; cut off above only."""
    if old is None:
        return torch.ones_like(own)
    return (own - old).clamp(-MOST_DISTANCE, MOST_DISTANCE).exp().clamp(max=clip)


def divergence_from_base(own, base):
    """Schulman's k3 estimate of the KL from the model without adapter."""
    if base is None:
        return torch.zeros_like(own)
    distance = (own - base).clamp(-MOST_DISTANCE, MOST_DISTANCE)
    return torch.expm1(distance) - distance


def renormalised(logprobs):
    """@returns logarithms, and probabilities that sum up to 1: to less where there is almost nothing"""
    total = logprobs.exp().sum(-1, keepdim=True).clamp(min=LEAST_SUM)
    logs = logprobs - total.log()
    return logs, logs.exp()


def weighted(probabilities, logs, others):
    """`p (log p − other)`, 0 where p is 0. What is not counted is replaced before, so that its gradient is a number, too."""
    counts = probabilities > 0
    difference = torch.where(counts, logs, 0) - torch.where(counts, others, 0)
    return torch.where(counts, probabilities, 0) * difference
