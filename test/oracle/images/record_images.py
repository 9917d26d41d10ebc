"""Records what OpenCV reads from small image files of every kind.

    python -m venv .venv && .venv/bin/pip install opencv-python-headless pillow numpy
    .venv/bin/python test/oracle/images/record_images.py

Writes test/oracle/images/images.json: for each file its bytes and, for IMREAD_COLOR and IMREAD_UNCHANGED, the shape, the
sample type and the SHA-256 of the pixels in the order red, green, blue, alpha; null where OpenCV refuses the file.
"""

import base64
import hashlib
import io
import json
import os
import struct
import zlib

import cv2
import numpy as np
from PIL import Image, ImageCms

rng = np.random.default_rng(7)
files = {}


def scene(height, width, channels, top=255, dtype=np.uint8):
    """Soft waves with some noise: compresses like a picture, and no two rows, columns or channels are alike."""
    y, x = np.mgrid[0:height, 0:width]
    planes = []
    for k in range(channels):
        wave = (np.sin(x / (5 + 3 * k) + k) + np.cos(y / (4 + 2 * k))) * 0.25 + 0.5
        planes.append(np.clip(wave + rng.normal(0, 0.08, (height, width)), 0, 1) * top)
    return np.stack(planes, -1).round().astype(dtype)


def rgb(width, height):
    return Image.fromarray(scene(height, width, 3))


def encoded(image, kind, **options):
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def exif(orientation):
    block = Image.Exif()
    block[0x112] = orientation
    return block.tobytes()


def foreign_profile():
    """A small RGB profile with red and blue exchanged: whoever applies it is found out."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    count = struct.unpack(">I", profile[128:132])[0]
    tags = {bytes(profile[132 + 12 * i : 136 + 12 * i]): 132 + 12 * i for i in range(count)}
    red, blue = tags[b"rXYZ"], tags[b"bXYZ"]
    kept = bytes(profile[red + 4 : red + 12])
    profile[red + 4 : red + 12] = profile[blue + 4 : blue + 12]
    profile[blue + 4 : blue + 12] = kept
    return bytes(profile)


PROFILE = foreign_profile()


def jpegs():
    for width, height in ((33, 19), (1, 1), (17, 3)):
        size = f"{width}x{height}"
        picture = rgb(width, height)
        for sampling in ("4:4:4", "4:2:2", "4:2:0", "4:1:1"):
            name = sampling.replace(":", "")
            files[f"{size}-{name}.jpg"] = encoded(picture, "JPEG", quality=80, subsampling=sampling)
        files[f"{size}-progressive.jpg"] = encoded(picture, "JPEG", quality=80, subsampling=2, progressive=True)
        files[f"{size}-grey.jpg"] = encoded(picture.convert("L"), "JPEG", quality=80)
    files["restarts.jpg"] = encoded(rgb(33, 19), "JPEG", restart_marker_blocks=1)
    files["stored-as-rgb.jpg"] = encoded(rgb(33, 19), "JPEG", keep_rgb=True)
    files["profile.jpg"] = encoded(rgb(9, 7), "JPEG", icc_profile=PROFILE)
    files["gain-map.jpg"] = gain_map_jpeg()
    for orientation in range(10):
        files[f"exif-{orientation}.jpg"] = encoded(rgb(13, 6), "JPEG", exif=exif(orientation))
    ink = Image.merge("CMYK", [Image.fromarray(scene(19, 33, 1)[..., 0]) for _ in range(4)])
    cmyk = encoded(ink, "JPEG", quality=90)
    adobe = cmyk.index(b"Adobe")
    ycck = bytearray(cmyk)
    ycck[adobe + 11] = 2
    length = struct.unpack(">H", cmyk[adobe - 2 : adobe])[0]
    files["cmyk-adobe.jpg"] = cmyk
    files["cmyk-ycck.jpg"] = bytes(ycck)
    files["cmyk-plain.jpg"] = cmyk[: adobe - 4] + cmyk[adobe - 2 + length :]
    files["cmyk-halved.jpg"] = encoded(ink, "JPEG", quality=90, subsampling=2)
    files["cmyk-exif-6.jpg"] = encoded(ink.crop((0, 0, 13, 6)), "JPEG", exif=exif(6))


def gain_map_jpeg():
    """A photograph as newer phones write it: a second JPEG behind the first, announced by XMP and a multi-picture block."""
    rdf = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" {}</rdf:RDF>'
    hdr = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" '

    def segment(marker, data):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data

    def xmp(attributes):
        text = f'<x:xmpmeta xmlns:x="adobe:ns:meta/">{rdf.format(attributes)}</x:xmpmeta>'
        return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + text.encode())

    gain = encoded(Image.fromarray(scene(4, 6, 1)[..., 0]), "JPEG", quality=80)
    gain = gain[:2] + xmp(hdr + 'hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2"/>') + gain[2:]
    items = (
        'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/">'
        '<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>'
        f'<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="{len(gain)}"/></rdf:li>'
        "</rdf:Seq></Container:Directory></rdf:Description>"
    )
    base = encoded(rgb(24, 16), "JPEG", quality=80, subsampling=2)
    head = base[:2] + xmp(hdr + items)
    pictures = len(head) + 8
    total = len(head) + 8 + 8 + 2 + 36 + 4 + 32 + len(base) - 2
    block = b"MM\0*" + struct.pack(">IH", 8, 3) + struct.pack(">HHI4s", 0xB000, 7, 4, b"0100")
    block += struct.pack(">HHII", 0xB001, 4, 1, 2) + struct.pack(">HHIII", 0xB002, 7, 32, 50, 0)
    block += struct.pack(">IIIHH", 0x030000, total, 0, 0, 0) + struct.pack(">IIIHH", 0, len(gain), total - pictures, 0, 0)
    return head + segment(0xE2, b"MPF\0" + block) + base[2:] + gain


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(rows, depth):
    lines = b""
    for row in rows:
        if depth == 16:
            line = row.astype(">u2").tobytes()
        else:
            bits = "".join(format(int(sample), f"0{depth}b") for sample in row)
            bits += "0" * (-len(bits) % 8)
            line = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
        lines += b"\0" + line
    return lines


PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def png(samples, depth, color_type, interlaced=False, before=b"", after=b""):
    height, width, _ = samples.shape
    data = b""
    for x, y, step_x, step_y in PASSES if interlaced else ((0, 0, 1, 1),):
        part = samples[y::step_y, x::step_x]
        if part.size:
            data += packed(part.reshape(part.shape[0], -1), depth)
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, int(interlaced))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", zlib.compress(data)) + after + chunk(b"IEND", b"")
    )


def noise(depth, channels, width=11, height=7):
    return rng.integers(0, 1 << depth, (height, width, channels))


def pngs():
    for interlaced in (False, True):
        mark = "-interlaced" if interlaced else ""
        for depth in (1, 2, 4, 8, 16):
            grey = noise(depth, 1)
            files[f"grey{depth}{mark}.png"] = png(grey, depth, 0, interlaced)
            key = chunk(b"tRNS", struct.pack(">H", int(grey[0, 0, 0])))
            files[f"grey{depth}-key{mark}.png"] = png(grey, depth, 0, interlaced, key)
            if depth <= 8:
                entries = min(1 << depth, 40)
                palette = chunk(b"PLTE", rng.integers(0, 256, (entries, 3)).astype(np.uint8).tobytes())
                alphas = chunk(b"tRNS", rng.integers(0, 256, max(1, entries // 2)).astype(np.uint8).tobytes())
                index = rng.integers(0, entries, (7, 11, 1))
                files[f"palette{depth}{mark}.png"] = png(index, depth, 3, interlaced, palette)
                files[f"palette{depth}-alpha{mark}.png"] = png(index, depth, 3, interlaced, palette + alphas)
        for depth in (8, 16):
            for color_type, channels, name in ((2, 3, "rgb"), (4, 2, "grey-alpha"), (6, 4, "rgba")):
                samples = noise(depth, channels)
                if channels != 3:
                    samples[::3, :, -1] = 0
                files[f"{name}{depth}{mark}.png"] = png(samples, depth, color_type, interlaced)
            samples = noise(depth, 3)
            key = chunk(b"tRNS", struct.pack(">HHH", *[int(sample) for sample in samples[0, 0]]))
            files[f"rgb{depth}-key{mark}.png"] = png(samples, depth, 2, interlaced, key)
    gamma = chunk(b"gAMA", struct.pack(">I", 100_000))
    profile = chunk(b"iCCP", b"x\0\0" + zlib.compress(PROFILE))
    files["gamma-rgb8.png"] = png(noise(8, 3), 8, 2, before=gamma)
    files["gamma-rgb16.png"] = png(noise(16, 3), 16, 2, before=gamma)
    files["gamma-grey16.png"] = png(noise(16, 1), 16, 0, before=gamma)
    files["profile-rgb8.png"] = png(noise(8, 3), 8, 2, before=profile)
    files["profile-rgb16.png"] = png(noise(16, 3), 16, 2, before=profile)
    files["background.png"] = png(noise(8, 4), 8, 6, before=chunk(b"bKGD", struct.pack(">HHH", 1, 200, 3)))
    files["significant-bits.png"] = png(noise(16, 3), 16, 2, before=chunk(b"sBIT", bytes([10, 10, 10])))
    for orientation in range(10):
        block = chunk(b"eXIf", exif(orientation)[6:])
        files[f"exif-{orientation}.png"] = png(noise(8, 3, 5, 3), 8, 2, before=block)
    files["exif-6-after-data.png"] = png(noise(8, 3, 5, 3), 8, 2, after=chunk(b"eXIf", exif(6)[6:]))
    files["exif-6-grey16.png"] = png(noise(16, 1, 5, 3), 16, 0, before=chunk(b"eXIf", exif(6)[6:]))
    whole = png(noise(8, 3), 8, 2)
    files["no-end.png"] = whole[:-12]
    files["trailing-bytes.png"] = whole + b"more" * 9
    frames = [rgb(9, 7) for _ in range(3)]
    files["animated.png"] = encoded(frames[0], "PNG", save_all=True, append_images=frames[1:], duration=100)


def webps():
    for width, height in ((33, 19), (1, 1), (17, 3)):
        size = f"{width}x{height}"
        picture = rgb(width, height)
        clear = Image.fromarray(scene(height, width, 4))
        files[f"{size}-lossy.webp"] = encoded(picture, "WEBP", quality=75)
        files[f"{size}-lossy-alpha.webp"] = encoded(clear, "WEBP", quality=75)
        files[f"{size}-lossless.webp"] = encoded(picture, "WEBP", lossless=True)
        files[f"{size}-lossless-alpha.webp"] = encoded(clear, "WEBP", lossless=True, exact=True)
    files["profile.webp"] = encoded(rgb(9, 7), "WEBP", icc_profile=PROFILE)
    for orientation in range(10):
        files[f"exif-{orientation}.webp"] = encoded(rgb(5, 3), "WEBP", lossless=True, exif=exif(orientation))
    frames = [Image.fromarray(scene(7, 9, 4)) for _ in range(3)]
    files["animated.webp"] = encoded(
        frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=100, lossless=True, exact=True
    )


def tiffs():
    picture = rgb(11, 7)
    for compression in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg"):
        name = compression.removeprefix("tiff_")
        files[f"rgb-{name}.tif"] = encoded(picture, "TIFF", compression=compression)
        files[f"grey-{name}.tif"] = encoded(picture.convert("L"), "TIFF", compression=compression)
    files["rgba.tif"] = encoded(Image.fromarray(scene(7, 11, 4)), "TIFF")
    files["palette.tif"] = encoded(picture.quantize(30), "TIFF")
    files["bilevel.tif"] = encoded(picture.convert("1"), "TIFF")
    files["bilevel-group4.tif"] = encoded(picture.convert("1"), "TIFF", compression="group4")
    files["grey16.tif"] = encoded(Image.fromarray(scene(7, 11, 1, 65535, np.uint16)[..., 0]), "TIFF")
    files["rgb16.tif"] = cv2.imencode(".tif", scene(7, 11, 3, 65535, np.uint16))[1].tobytes()
    files["rgba16.tif"] = cv2.imencode(".tif", scene(7, 11, 4, 65535, np.uint16))[1].tobytes()
    files["big.tif"] = encoded(picture, "TIFF", big_tiff=True)
    for orientation in range(1, 9):
        files[f"orientation-{orientation}.tif"] = encoded(rgb(5, 3), "TIFF", tiffinfo={274: orientation})
    pages = [rgb(5, 3) for _ in range(2)]
    files["pages.tif"] = encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:])


def reading(content, flag):
    pixels = cv2.imdecode(np.frombuffer(content, np.uint8), flag)
    if pixels is None:
        return None
    if pixels.ndim == 2:
        pixels = pixels[..., None]
    pixels = pixels[..., {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[pixels.shape[2]]]
    little = np.ascontiguousarray(pixels.astype(pixels.dtype.newbyteorder("<")))
    return {
        "shape": list(pixels.shape),
        "type": str(pixels.dtype),
        "sha256": hashlib.sha256(little.tobytes()).hexdigest(),
    }


jpegs()
pngs()
webps()
tiffs()
golden = {
    "opencv": cv2.__version__,
    "files": {
        name: {
            "base64": base64.b64encode(content).decode(),
            "color": reading(content, cv2.IMREAD_COLOR),
            "unchanged": reading(content, cv2.IMREAD_UNCHANGED),
        }
        for name, content in files.items()
    },
}
target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "images.json")
with open(target, "w") as out:
    json.dump(golden, out, indent=0)
    out.write("\n")
print(f"{len(files)} files, {os.path.getsize(target)} bytes")
