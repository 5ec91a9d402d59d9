"""Losses and their gradients in NumPy float64, from the papers' equations: python3 make.py writes losses.json."""

import json
from pathlib import Path

import numpy as np

random = np.random.default_rng(33)
ROWS, CLASSES = 6, 10
logits = random.normal(0, 3, (ROWS, CLASSES))
teacher = random.normal(0, 3, (ROWS, CLASSES))
target = random.integers(0, CLASSES, ROWS)
numbers = random.normal(0, 2, (ROWS, CLASSES))
one_hot = np.eye(CLASSES)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def cross_entropy(x, shares):
    """Mean of -sum(shares * log softmax(x)) over the rows."""
    shifted = x - x.max(-1, keepdims=True)
    return -(shares * (shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))).sum(-1).mean()


def soft(x, t=4, share=0.9):
    """Hinton et al. 2015: (1 - a) CE(x, y) + a t^2 CE(x / t, softmax(teacher / t))."""
    return (1 - share) * cross_entropy(x, one_hot[target]) + share * t * t * cross_entropy(x / t, softmax(teacher / t))


def hard(x):
    """Touvron et al. 2021, equation 3: CE(x, y) / 2 + CE(x, argmax teacher) / 2."""
    return (cross_entropy(x, one_hot[target]) + cross_entropy(x, one_hot[teacher.argmax(-1)])) / 2


def smooth(x, share=0.1):
    """Szegedy et al. 2016, section 7: the target with a share of the uniform distribution."""
    return cross_entropy(x, (1 - share) * one_hot[target] + share / CLASSES)


def focal(x, gamma=2):
    """Lin et al. 2017, equation 4: -(1 - p)^gamma log p of the class that is right."""
    p = softmax(x)[np.arange(ROWS), target]
    return (-((1 - p) ** gamma) * np.log(p)).mean()


def contrastive(x, t=0.1):
    """Chen et al. 2020, equation 1: two views of each example, the first half of the rows and the second."""
    z = x / np.linalg.norm(x, axis=-1, keepdims=True)
    similar = z @ z.T / t - 1e9 * np.eye(ROWS)
    return cross_entropy(similar, np.eye(ROWS)[(np.arange(ROWS) + ROWS // 2) % ROWS])


def squared(x):
    return ((x - numbers) ** 2).mean()


def gradient(loss, step=1e-6):
    """Central differences, which in float64 are right to about 1e-9 here."""
    out = np.zeros_like(logits)
    for place in np.ndindex(*logits.shape):
        moved = np.zeros_like(logits)
        moved[place] = step
        out[place] = (loss(logits + moved) - loss(logits - moved)) / (2 * step)
    return out


losses = [soft, hard, smooth, focal, contrastive, squared]
golden = {
    "logits": logits.tolist(),
    "teacher": teacher.tolist(),
    "target": target.tolist(),
    "numbers": numbers.tolist(),
    "losses": {each.__name__: {"value": each(logits), "gradient": gradient(each).tolist()} for each in losses},
}
path = Path(__file__).with_name("losses.json")
path.write_text(json.dumps(golden))
