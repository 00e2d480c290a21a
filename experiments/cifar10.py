#!/usr/bin/env python3
"""Networks on CIFAR-10 and their features, on a GPU: the paper's CNN, and EfficientNet-Lite0 fine-tuned.

  experiments/cifar10.py cnn cifar10 -o DIR [--epochs 200] [--seconds 270] [--seeds 0,1,2]
  experiments/cifar10.py finetune cifar10 -o DIR [--epochs 9] [--size 160] [--seeds 0,1,2]

The images are train/CLASS/*.png and test/CLASS/*.png. `cnn` trains, for each seed, on all training images without and
with augmentation, and on four fifths of them for an estimate inside the training images. Both write NAME_SEED.npz for
experiments/pretrained_heads.py (the rows of `test` are the held-out fifth in cnn_fold) and NAME.json with accuracies
and times.
"""

import argparse
import json
import pathlib
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from cifar10_cnn import CUDA, DEV, PAD, Run, shifted
from pretrained_features import image_files, lite0


def read_images(folder):
    from PIL import Image

    files, labels, test = image_files(pathlib.Path(folder), 0)
    pixels = np.stack([np.asarray(Image.open(file).convert("RGB")) for file in files]).transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(pixels)).to(DEV), torch.from_numpy(labels).to(DEV), test


def sync():
    if CUDA:
        torch.cuda.synchronize()


def save(options, name, features, labels, test):
    np.savez(pathlib.Path(options.output) / f"{name}.npz", F=features.cpu().numpy().astype(np.float16),
             y=labels.cpu().numpy(), test=test)


# The paper's CNN.


def make_runs(options, X, y):
    padded, everything, runs = F.pad(X, (PAD,) * 4), torch.arange(len(X), device=DEV), []
    for seed in options.seeds:
        shuffled = torch.randperm(len(X), generator=torch.Generator().manual_seed(50 + seed)).to(DEV)
        part = shuffled[: len(X) * 4 // 5].sort().values
        runs += [Run(f"cnn_plain_{seed}", seed, everything, X, y), Run(f"cnn_fold_{seed}", seed, part, X, y),
                 Run(f"cnn_augment_{seed}", seed, everything, padded, y, augment=True)]
    return runs


def train_epoch(runs, per_graph):
    """One epoch of all runs, each in its own stream."""
    for run in runs:
        if CUDA:
            run.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(run.stream):  # does nothing for None
            run.shuffle()
    for k in range(max(run.steps // per_graph[run.name] for run in runs)):
        for run in runs:
            if k < run.steps // per_graph[run.name]:
                with torch.cuda.stream(run.stream):
                    run.graph.replay() if run.graph else run.step()
    sync()


def cnn(options):
    images, labels, test = read_images(options.source)
    inside = torch.from_numpy(~test).to(DEV)
    X, y, Xt, yt = images[inside], labels[inside], images[~inside], labels[~inside]
    runs = make_runs(options, X, y)
    per_graph = {run.name: next(k for k in range(13, 0, -1) if run.steps % k == 0) if CUDA else 1 for run in runs}
    for run in runs:
        run.shuffle()
        if CUDA:
            run.capture(per_graph[run.name])
    began, epochs = time.time(), 0
    while epochs < options.epochs and (not epochs or (time.time() - began) * (1 + 1 / epochs) < options.seconds):
        train_epoch(runs, per_graph)
        epochs += 1
        if epochs % 20 == 0:
            print(f"{epochs} epochs, {time.time() - began:.0f} s", flush=True)
    result = {"epochs": epochs, "seconds": time.time() - began, "runs": {}}
    for run in runs:
        seen = torch.zeros(len(X), dtype=torch.bool, device=DEV)
        seen[run.rows] = True
        found = {"train": run.accuracy(X[seen], y[seen]), "test": run.accuracy(Xt, yt)}
        features = run.scores(X, "features")
        if "fold" in run.name:
            found["held_out"] = run.accuracy(X[~seen], y[~seen])
            save(options, run.name, features, y, (~seen).cpu().numpy())
        else:
            both = torch.cat([features, run.scores(Xt, "features")])
            save(options, run.name, both, torch.cat([y, yt]), np.arange(len(both)) >= len(X))
        result["runs"][run.name] = found
        print(run.name, found, flush=True)
    (pathlib.Path(options.output) / "cnn.json").write_text(json.dumps(result))


# EfficientNet-Lite0.


def prepared(x, size):
    x = F.interpolate(x.float(), size=(size, size), mode="bicubic", align_corners=False).clamp_(0, 255)
    return x.sub_(127.0).div_(128.0).contiguous(memory_format=torch.channels_last)


def extract(network, X, size):
    network.eval()
    out = []
    with torch.no_grad(), torch.autocast(DEV.type, torch.float16, enabled=CUDA):
        for start in range(0, len(X), 1000):
            out.append(network(prepared(X[start : start + 1000], size)).float())
    sync()
    return torch.cat(out)


def tune(options, seed, X, y):
    """The network without its last layer, and a new last layer, trained together."""
    torch.manual_seed(seed)
    generator, batch = torch.Generator(device=DEV).manual_seed(seed), 256
    network, last = lite0(DEV).to(memory_format=torch.channels_last), torch.nn.Linear(1280, 10).to(DEV)
    weights = [*network.parameters(), *last.parameters()]
    solver = torch.optim.AdamW(weights, lr=1e-3, weight_decay=1e-2)
    steps, padded = len(X) // batch, F.pad(X, (PAD,) * 4)
    plan = torch.optim.lr_scheduler.OneCycleLR(solver, 1e-3, total_steps=options.epochs * steps, pct_start=0.2)
    for epoch in range(options.epochs):
        network.train()
        order = torch.randperm(len(X), device=DEV, generator=generator)
        for k in range(steps):
            rows = order[k * batch : (k + 1) * batch]
            solver.zero_grad(set_to_none=True)
            with torch.autocast(DEV.type, torch.bfloat16, enabled=CUDA):
                scores = last(network(prepared(shifted(padded, rows, generator), options.size)))
            loss = F.cross_entropy(scores.float(), y[rows])
            loss.backward()
            solver.step()
            plan.step()
        print(f"seed {seed}, epoch {epoch + 1}, loss {loss.item():.4f}", flush=True)
    return network, last


def finetune(options):
    images, labels, test = read_images(options.source)
    inside, result = torch.from_numpy(~test).to(DEV), {}
    for seed in options.seeds:
        sync()
        began = time.time()
        network, last = tune(options, seed, images[inside], labels[inside])
        sync()
        middle = time.time()
        features = extract(network, images, options.size)
        right = last(features).argmax(1) == labels
        result[seed] = {"train": right[inside].float().mean().item(), "test": right[~inside].float().mean().item(),
                        "train_seconds": middle - began, "extract_seconds": time.time() - middle}
        save(options, f"tuned_{seed}", features, labels, test)
        print(f"seed {seed}", result[seed], flush=True)
    (pathlib.Path(options.output) / "finetune.json").write_text(json.dumps(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("cnn", "finetune"))
    parser.add_argument("source", help="the folder with the images")
    parser.add_argument("-o", "--output", required=True, help="folder for features and results")
    parser.add_argument("--epochs", type=int, help="default: 200 (cnn), 9 (finetune)")
    parser.add_argument("--seconds", type=float, default=1e9, help="no epoch starts that would end later (cnn)")
    parser.add_argument("--size", type=int, default=160, help="pixels of a side (finetune)")
    parser.add_argument("--seeds", type=lambda t: [int(s) for s in t.split(",")], default=[0, 1, 2])
    options = parser.parse_args()
    options.epochs = options.epochs or {"cnn": 200, "finetune": 9}[options.what]
    pathlib.Path(options.output).mkdir(parents=True, exist_ok=True)
    torch.backends.cudnn.benchmark = True
    (cnn if options.what == "cnn" else finetune)(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
