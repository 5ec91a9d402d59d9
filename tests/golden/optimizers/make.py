"""Trajectories of optimizers in NumPy float64, from the equations of their papers, as JSON:

    python3 tests/golden/optimizers/make.py

Each trains the two matrices of a linear network, x @ w @ u, on half the mean of squares, for five steps of given learning
rates; weight decay applies to w alone. A file has the data, the options, and after each step the weights that are trained,
and those that are evaluated where these are others.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
RATES = [0.01, 0.02, 0.03, 0.02, 0.01]
NAMES = ["w", "u"]
random = np.random.default_rng(1)
# what float32 holds exactly, so that both start from the same
DATA = {
    name: random.standard_normal(shape).astype(np.float32).astype(np.float64)
    for name, shape in {"x": (12, 6), "y": (12, 9), "w": (6, 4), "u": (4, 9)}.items()
}


def gradients(weights):
    hidden = DATA["x"] @ weights["w"]
    error = (hidden @ weights["u"] - DATA["y"]) / len(DATA["x"])
    return {"w": DATA["x"].T @ (error @ weights["u"].T), "u": hidden.T @ error}


def lion(state, weights, rate, t, decay, o):
    """Chen et al. 2023, algorithm 2."""
    g = gradients(weights)
    m = state.setdefault("m", {name: 0 * g[name] for name in NAMES})
    for name in NAMES:
        c = o["beta1"] * m[name] + (1 - o["beta1"]) * g[name]
        weights[name] = weights[name] - rate * (np.sign(c) + decay[name] * weights[name])
        m[name] = o["beta2"] * m[name] + (1 - o["beta2"]) * g[name]


def muon(state, weights, rate, t, decay, o):
    """Jordan 2024: https://kellerjordan.github.io/posts/muon, with its Nesterov momentum and its factor for wide outputs."""
    g = gradients(weights)
    b = state.setdefault("b", {name: 0 * g[name] for name in NAMES})
    for name in NAMES:
        b[name] = o["momentum"] * b[name] + g[name]
        x = newton_schulz(g[name] + o["momentum"] * b[name], o["iterations"])
        inputs, outputs = x.shape
        x = x * np.sqrt(max(1, outputs / inputs))
        weights[name] = weights[name] - rate * (x + decay[name] * weights[name])


def newton_schulz(g, iterations):
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (np.linalg.norm(g) + 1e-7)
    for _ in range(iterations):
        s = x @ x.T
        x = a * x + (b * s + c * s @ s) @ x
    return x


def sgd(g, state, weights, rate, t, decay, o):
    buffer = state.setdefault("buffer", {name: 0 * g[name] for name in NAMES})
    for name in NAMES:
        buffer[name] = o["momentum"] * buffer[name] + g[name] + decay[name] * weights[name]
        weights[name] = weights[name] - rate * buffer[name]


def adamw(g, state, weights, rate, t, decay, o):
    """Loshchilov and Hutter 2019, algorithm 2."""
    m = state.setdefault("m", {name: 0 * g[name] for name in NAMES})
    v = state.setdefault("v", {name: 0 * g[name] for name in NAMES})
    for name in NAMES:
        m[name] = o["beta1"] * m[name] + (1 - o["beta1"]) * g[name]
        v[name] = o["beta2"] * v[name] + (1 - o["beta2"]) * g[name] ** 2
        mean, square = m[name] / (1 - o["beta1"] ** t), v[name] / (1 - o["beta2"] ** t)
        weights[name] = weights[name] * (1 - rate * decay[name]) - rate * mean / (np.sqrt(square) + o["eps"])


def sam(base):
    """Foret et al. 2021, algorithm 1: the gradient of `base` is taken at w + rho * g / |g|."""

    def step(state, weights, rate, t, decay, o):
        g = gradients(weights)
        norm = np.sqrt(sum(np.sum(g[name] ** 2) for name in NAMES))
        second = gradients({name: weights[name] + o["rho"] * g[name] / norm for name in NAMES})
        base(second, state, weights, rate, t, decay, o)

    return step


def schedule_free(state, weights, rate, t, decay, o):
    """Defazio et al. 2024, algorithm 1; `rate` has the warmup in it. Weights are y, what is evaluated is x."""
    g = gradients(weights)
    if not state:
        state.update(z=dict(weights), x=dict(weights), v={name: 0 * g[name] for name in NAMES}, total=0)
    gamma = rate * np.sqrt(1 - o["beta2"] ** t)
    state["total"] += gamma**2
    share = gamma**2 / state["total"]
    z, x, v = state["z"], state["x"], state["v"]
    for name in NAMES:
        v[name] = o["beta2"] * v[name] + (1 - o["beta2"]) * g[name] ** 2
        z[name] = z[name] - gamma * g[name] / (np.sqrt(v[name]) + o["eps"]) - gamma * decay[name] * weights[name]
        x[name] = (1 - share) * x[name] + share * z[name]
        weights[name] = (1 - o["beta1"]) * z[name] + o["beta1"] * x[name]
    return x


CASES = {
    "lion": (lion, {"beta1": 0.9, "beta2": 0.99, "weightDecay": 0.5}),
    "muon": (muon, {"momentum": 0.95, "iterations": 5, "weightDecay": 0.1}),
    "sam": (sam(sgd), {"rho": 0.5, "momentum": 0.9, "weightDecay": 0.01}),
    "sam_adamw": (sam(adamw), {"rho": 0.5, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weightDecay": 0.1}),
    "schedule_free": (schedule_free, {"beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weightDecay": 0.1}),
}

for case, (step, options) in CASES.items():
    decay = {"w": options["weightDecay"], "u": 0.0}
    weights = {name: DATA[name] for name in NAMES}
    state, steps = {}, []
    for t, rate in enumerate(RATES, 1):
        evaluated = step(state, weights, rate, t, decay, options)
        steps.append({"weights": dict(weights)} | ({"evaluated": dict(evaluated)} if evaluated else {}))
    content = {"optimizer": case, "options": options, "rates": RATES, "data": DATA, "steps": steps}
    text = json.dumps(content, default=lambda value: value.round(12).tolist())
    (HERE / f"{case}.json").write_text(text + "\n")
