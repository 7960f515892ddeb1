"""Gated linear attention in plain PyTorch: what every submission is held against, and what the track begins with.

For each head, token by token:

    S <- diag(g[t]) S + k[t] v[t]^T        out[t] = (q[t]^T S) / sqrt(dk)
"""
import torch

BLOCK = 128


def gated_linear_attention(q, k, v, g, initial_state):
    """
    q, k, g: (1, tokens, heads, dk), v: (1, tokens, heads, dv), initial_state: (1, heads, dk, dv).
    Returns out, like v, and the state after the last token, like initial_state. Computes in the type of the state.

    Blocks of tokens go through the recurrence side by side, each from a state of zeros; then what each one hands on is added. Nothing is divided by
    products of gates, so gates of zero do no harm.
    """
    dtype = initial_state.dtype
    tokens, heads, dk = q.shape[1:]
    dv = v.shape[-1]
    blocks = -(-tokens // BLOCK)

    def blocked(x, filling):
        x = x[0].to(dtype)
        more = torch.full((blocks * BLOCK - tokens, *x.shape[1:]), filling, dtype=dtype, device=x.device)
        return torch.cat([x, more]).view(blocks, BLOCK, heads, -1).transpose(1, 2)

    q, k, v, g = blocked(q, 0), blocked(k, 0), blocked(v, 0), blocked(g, 1)
    state = torch.zeros(blocks, heads, dk, dv, dtype=dtype, device=q.device)
    kept = torch.ones(blocks, heads, dk, dtype=dtype, device=q.device)
    out, reach = torch.empty_like(v), torch.empty_like(q)
    for t in range(BLOCK):
        state = g[:, :, t, :, None] * state + k[:, :, t, :, None] * v[:, :, t, None, :]
        kept = kept * g[:, :, t]
        out[:, :, t] = (q[:, :, t, None, :] @ state)[:, :, 0]
        reach[:, :, t] = q[:, :, t] * kept
    carried = initial_state[0]
    for n in range(blocks):
        out[n] += reach[n] @ carried
        carried = kept[n, :, :, None] * carried + state[n]
    out = (out * dk**-0.5).transpose(1, 2).reshape(1, blocks * BLOCK, heads, dv)[:, :tokens]
    return out, carried[None]
