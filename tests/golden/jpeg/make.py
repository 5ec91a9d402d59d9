"""JPEG files, and the SHA-256 of the RGB pixels that Pillow decodes from each, as JSON:

    python3 tests/golden/jpeg/make.py

A sampling or a colour space that Pillow does not write is set in the bytes of a file that has as many blocks: its picture is
a jumble, and the same for every decoder.
"""

import base64
import hashlib
import io
import json
from pathlib import Path

import numpy as np
from PIL import Image, features

random = np.random.default_rng(1)


def picture(width, height, channels=3):
    """Waves, noise, and edges of strong colours."""
    y, x = np.mgrid[0:height, 0:width]
    waves = [127 + 120 * np.sin(x / (3 + c) + y / (7 - c) + c) for c in range(channels)]
    values = np.stack(waves, -1) + random.normal(0, 12, (height, width, channels))
    values[(x // 9 + y // 7) % 3 == 0] = [230, 20, 20, 90][:channels]
    values = np.clip(values, 0, 255).astype(np.uint8)
    return values[..., 0] if channels == 1 else values


def file(values, mode=None, **options):
    buffer = io.BytesIO()
    Image.fromarray(values, mode).save(buffer, "JPEG", **{"quality": 75, "optimize": True, **options})
    return buffer.getvalue()


def replaced(jpeg, old, new):
    assert jpeg.count(old) == 1
    return jpeg.replace(old, new)


def without(jpeg, marker):
    at = jpeg.index(bytes([255, marker]))
    return jpeg[:at] + jpeg[at + 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big") :]


SAMPLINGS = {"444": 0, "422": 1, "420": 2}
square, wide = picture(32, 32), picture(37, 21)
files = {}
for name, subsampling in SAMPLINGS.items():
    for width, height in [(1, 1), (2, 3), (9, 8), (16, 17)]:
        files[f"{name} {width}x{height}"] = file(picture(width, height), subsampling=subsampling)
    for progressive in [False, True]:
        kind = "progressive " if progressive else ""
        files[f"{kind}{name}"] = file(wide, subsampling=subsampling, progressive=progressive)
        options = {"subsampling": subsampling, "progressive": progressive, "restart_marker_blocks": 2}
        files[f"{kind}{name} with restarts"] = file(wide, **options)
for quality in [5, 50, 98]:
    files[f"420 quality {quality}"] = file(wide, quality=quality, subsampling=2)
# the factors of the first component: 2x1 to 1x2, 2x2 to 4x1
for progressive in [False, True]:
    kind = "progressive " if progressive else ""
    for name, subsampling, old, new in [("440", 1, 0x21, 0x12), ("411", 2, 0x22, 0x41)]:
        jpeg = file(square, subsampling=subsampling, progressive=progressive)
        files[kind + name] = replaced(jpeg, bytes([1, old, 0, 2, 17, 1]), bytes([1, new, 0, 2, 17, 1]))
    files[f"{kind}grey"] = file(picture(23, 18, 1), progressive=progressive)
    rgb = file(wide, keep_rgb=True, progressive=progressive)
    files[f"{kind}RGB"] = rgb
    files[f"{kind}RGB by its components"] = without(rgb, 0xEE)
    cmyk = file(picture(23, 18, 4), "CMYK", progressive=progressive)
    files[f"{kind}CMYK"] = cmyk
    files[f"{kind}CMYK without a marker"] = without(cmyk, 0xEE)
    files[f"{kind}YCCK"] = replaced(cmyk, b"Adobe\0\x64\0\0\0\0\0", b"Adobe\0\x64\0\0\0\0\2")
files["YCbCr without a marker"] = without(files["420"], 0xE0)
files["plain"] = file(np.tile(np.uint8([200, 100, 50]), (9, 17, 1)), quality=95, optimize=False)
quarters = np.uint8([[[230, 20, 20], [20, 230, 20]], [[20, 20, 230], [230, 230, 230]]])
files["quarters"] = file(quarters.repeat(8, 0).repeat(16, 1), quality=95)

found = {}
for name, jpeg in files.items():
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    digest = hashlib.sha256(image.tobytes()).hexdigest()
    found[name] = {"size": image.size, "sha256": digest, "file": base64.b64encode(jpeg).decode()}
by = f"Pillow {Image.__version__}, libjpeg-turbo {features.version('libjpeg_turbo')}"
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
text = f'{{"by": {json.dumps(by)}, "files": {{\n{lines}\n}}}}\n'
(Path(__file__).parent / "files.json").write_text(text)
