#!/usr/bin/env python3
"""Computes the first ten training losses of every objective independently of accrete.

Writes data.csv (60 rows, 3 features, and three targets: two classes, three classes, a number) and expected.json (for
each case: parameters, the initial weights of every step, and the mean training loss after 0 to 10 steps). Run it in
this folder; oracle_test.cpp trains from the same initial weights and compares the losses.

Every step is solved four times from the same start, to the limit of double precision: by L-BFGS-B with three memory
sizes and by BFGS. The sub-problem has several minima, and from a distant start two solvers may find different ones,
which leaves no expected value. So the initial weights are a minimum found beforehand, perturbed by up to 0.2 per
weight, and a start is used only if all four results agree to 1e-8 in the objective, and the best and BFGS to 1e-6 in
the outputs. For the same reason alpha is larger than in practice: it makes the minimum sharp enough for single
precision.

The parameters of a step are one vector: hidden weights (by unit), hidden biases, output weights (by unit, one per
output), output biases. Two classes use the scale of the paper (labels -1 and +1, its residuals, its rho), so that equal
losses show that accrete's logit scale is the same method.
"""

import json
import platform

import numpy as np
import scipy
import scipy.special
from scipy.optimize import minimize

N, STEPS, RATE = 60, 10, 0.5


def make_data():
    rng = np.random.default_rng(20230)
    x = np.round(rng.normal(size=(N, 3)), 3)
    noise = rng.normal(size=(N, 2))
    binary = (np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * noise[:, 0] > 0.2).astype(int)
    score = x[:, 0] + 0.8 * x[:, 1] ** 2 + 0.5 * noise[:, 1]
    three = np.digitize(score, np.quantile(score, [0.4, 0.7]))
    number = np.round(1.5 + np.tanh(2 * x[:, 0]) - x[:, 1] * x[:, 2] + 0.3 * noise[:, 0], 4)
    table = np.column_stack([x, binary, three, number])
    np.savetxt("data.csv", table, delimiter=",", comments="", header="x0,x1,x2,binary,three,number",
               fmt=["%.3f"] * 3 + ["%d"] * 2 + ["%.4f"])
    # accrete stores features in single precision.
    return x.astype(np.float32).astype(float), binary, three, number


ACTIVATIONS = {  # value(z), and slope(value)
    "logistic": (lambda z: 1 / (1 + np.exp(-z)), lambda a: a * (1 - a)),
    "tanh": (np.tanh, lambda a: 1 - a * a),
}


class SubNetwork:
    def __init__(self, activation, units, outputs, features=3):
        self.value, self.slope = ACTIVATIONS[activation]
        self.J, self.K, self.f = units, outputs, features
        self.size = units * features + units + units * outputs + outputs

    def split(self, p):
        f, J, K = self.f, self.J, self.K
        W, b, V, c = np.split(p, [J * f, J * f + J, J * f + J + J * K])
        return W.reshape(J, f), b, V.reshape(J, K), c

    def hidden(self, W, b, x):
        return self.value(x @ W.T + b)

    def output(self, p, x):
        W, b, V, c = self.split(p)
        return self.hidden(W, b, x) @ V + c

    def objective(self, p, x, loss, alpha):
        """mean loss(h) + alpha/(2N) * squared weights, and its gradient. loss(h) returns values and derivatives."""
        W, b, V, c = self.split(p)
        A = self.hidden(W, b, x)
        value, E = loss(A @ V + c)
        E = E / N
        D = (E @ V.T) * self.slope(A)
        ridge = alpha / N
        gradient = np.concatenate([(D.T @ x + ridge * W).ravel(), D.sum(0), (A.T @ E + ridge * V).ravel(), E.sum(0)])
        return value.mean() + ridge / 2 * ((W**2).sum() + (V**2).sum()), gradient

    def best_output_layer(self, hidden_part, x, z, alpha):
        """Ridge regression with an unpenalised intercept, on centred data."""
        W, b = hidden_part[: self.J * self.f].reshape(self.J, self.f), hidden_part[self.J * self.f:]
        A = self.hidden(W, b, x)
        a0, z0 = A.mean(0), z.mean(0)
        V = np.linalg.solve((A - a0).T @ (A - a0) / N + alpha / N * np.eye(self.J), (A - a0).T @ (z - z0) / N)
        return np.concatenate([V.ravel(), z0 - a0 @ V])


def squares(z):
    return lambda h: (0.5 * ((h - z) ** 2).sum(1), h - z)


def solve(f, start):
    """The minimum that all solvers agree on, or None."""
    methods = [("L-BFGS-B", dict(maxcor=m, maxiter=5000, maxfun=10000, ftol=0, gtol=1e-12)) for m in (3, 10, 30)]
    methods += [("BFGS", dict(maxiter=5000, gtol=1e-11))]
    with np.errstate(all="ignore"):
        found = [minimize(f, start, jac=True, method=name, options=options) for name, options in methods]
    best = min(found, key=lambda r: r.fun)
    close = all(r.fun - best.fun <= 1e-8 * best.fun for r in found) and np.abs(f(best.x)[1]).max() < 1e-7
    return (best.x, found[3].x) if close else None


class Binary:  # the scale of the paper: labels -1, +1; F is half the logit
    outputs, loss_name, target = 1, "logistic", "binary"

    def __init__(self, y):
        self.s = 2.0 * y[:, None] - 1
        self.start = np.array([0.5 * np.log((1 + self.s.mean()) / (1 - self.s.mean()))])

    def loss(self, F):
        return np.logaddexp(0, -2 * self.s * F).sum(1), -2 * self.s / (1 + np.exp(2 * self.s * F))

    def residual(self, F):
        return 2 * self.s / (1 + np.exp(2 * self.s * F))

    def rho(self, F, h):
        r = self.residual(F)
        return (r * h).sum(0) / (r * (2 * self.s - r) * h * h).sum(0)

    # The direct objective is not in the paper. It is on the logit scale, where h is added to 2F.
    def direct(self, F):
        return lambda h: (np.logaddexp(0, -self.s * (2 * F + h)).sum(1), -self.s / (1 + np.exp(self.s * (2 * F + h))))

    direct_scale = 0.5


class Three:
    outputs, loss_name, target, direct_scale = 3, "softmax", "three", 1.0

    def __init__(self, y):
        self.y = np.eye(3)[y]
        self.start = np.zeros(3)

    def loss(self, F):
        log_p = F - scipy.special.logsumexp(F, axis=1, keepdims=True)
        return -(self.y * log_p).sum(1), np.exp(log_p) - self.y

    def residual(self, F):
        return -self.loss(F)[1]

    def rho(self, F, h):
        p = scipy.special.softmax(F, axis=1)
        return (h * (self.y - p)).sum(0) / (h * h * p * (1 - p)).sum(0)

    def direct(self, F):
        return lambda h: self.loss(F + h)


class Number:
    outputs, loss_name, target, direct_scale = 1, "squared", "number", 1.0

    def __init__(self, y):
        self.y = y[:, None]
        self.start = np.array([y.mean()])

    def loss(self, F):
        return 0.5 * ((F - self.y) ** 2).sum(1), F - self.y

    def residual(self, F):
        return self.y - F

    def rho(self, F, h):
        return np.ones(1)

    def direct(self, F):
        return lambda h: self.loss(F + h)


def grow(task, x, objective, net, alpha, rng):
    """Runs ten steps; returns the initial weights and the losses."""
    F = np.tile(task.start, (N, 1))
    initial, losses = [], [task.loss(F)[0].mean()]
    while len(initial) < STEPS:
        size = 1.0
        if objective == "direct":
            f, finish = lambda p: net.objective(p, x, task.direct(F), alpha), lambda p: p
        else:
            z = task.residual(F)
            if objective == "projected":
                size = np.sqrt((z**2).mean())
                z = z / size
            f, finish = lambda p: net.objective(p, x, squares(z), alpha), lambda p: p
            if objective == "projected":
                full = f
                finish = lambda q: np.concatenate([q, net.best_output_layer(q, x, z, alpha)])
                f = lambda q: (lambda v, g: (v, g[: len(q)]))(*full(finish(q)))
        hidden = net.J * (net.f + 1)
        n = hidden if objective == "projected" else net.size
        near = minimize(f, rng.uniform(-1.5, 1.5, n), jac=True, method="L-BFGS-B").x
        p0 = np.round(finish(near) + rng.uniform(-0.2, 0.2, net.size), 6)
        found = solve(f, p0[:n])
        if found is None:
            continue
        h, other = (size * net.output(finish(p), x) for p in found)
        if np.abs(h - other).max() > 1e-6 * np.abs(h).max():
            continue
        step = task.direct_scale * h if objective == "direct" else h
        F = F + RATE * (task.rho(F, h) if objective == "residual" else 1.0) * step
        initial.append(p0.tolist())
        losses.append(task.loss(F)[0].mean())
    return initial, losses


def main():
    x, binary, three, number = make_data()
    tasks = [Binary(binary), Three(three), Number(number)]
    plan = [("residual", t, "logistic", J, 0.2 if J == 1 else 0.05) for t in tasks for J in (1, 2)]
    plan += [("direct", t, a, J, 0.3) for t in tasks[:2] for a in ("logistic", "tanh") for J in (1, 2)]
    plan += [("projected", tasks[2], a, J, 0.5) for a in ("logistic", "tanh") for J in (1, 2)]
    cases = []
    for i, (objective, task, activation, J, alpha) in enumerate(plan):
        net = SubNetwork(activation, J, task.outputs)
        initial, losses = grow(task, x, objective, net, alpha, np.random.default_rng(2000 + i))
        cases.append(dict(objective=objective, loss=task.loss_name, target=task.target, outputs=task.outputs,
                          activation=activation, units_per_step=J, alpha=alpha, learning_rate=RATE,
                          rescale_residual=objective == "projected", initial=initial, losses=losses))
        print(objective, task.target, activation, J, " ".join(f"{v:.4f}" for v in losses), flush=True)
    made_by = f"python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    with open("expected.json", "w") as file:
        file.write(json.dumps(dict(made_by=made_by, cases=cases), indent=1) + "\n")


if __name__ == "__main__":
    main()
