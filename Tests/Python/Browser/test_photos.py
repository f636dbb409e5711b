"""Rules 9: a photo goes from one phone to another, and where it was taken stays on the first."""

import base64
import struct

from conftest import PHONE
from playwright.sync_api import expect

# What Firefox and Tor's browser do that guard against being recognized: whatever was drawn reads back in other colors.
HIDE_DRAWINGS = """() => {
  const brown = (data) => { for (let at = 0; at < data.length; at += 4) data.set([121, 85, 72, 255], at); };
  const { getImageData } = OffscreenCanvasRenderingContext2D.prototype;
  OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...box) {
    const image = getImageData.apply(this, box);
    brown(image.data);
    return image;
  };
  const { convertToBlob } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.convertToBlob = function (options) {
    const context = this.getContext('2d');
    context.fillStyle = 'rgb(121 85 72)';
    context.fillRect(0, 0, this.width, this.height);
    return convertToBlob.call(this, options);
  };
}"""

CAMERA = b"Pocket camera 7\0"
# Red above blue, so that the other end can see which way up it is.
JPEG = """async () => {
  const canvas = new OffscreenCanvas(64, 48);
  const context = canvas.getContext('2d');
  for (const [color, top] of [['#ff0000', 0], ['#0000ff', 24]]) { context.fillStyle = color; context.fillRect(0, top, 64, 24); }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""
# The driver doesn't see a request's body if it is a blob.
KEEP_BODIES = """() => {
  const fetchAsIs = window.fetch;
  window.fetch = async (address, options) => {
    if (options?.body instanceof Blob) window.sentBody = btoa(String.fromCharCode(...new Uint8Array(await options.body.arrayBuffer())));
    return fetchAsIs(address, options);
  };
}"""
TOP_COLOR = """(picture) => {
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  return [...context.getImageData(canvas.width / 2, 4, 1, 1).data];
}"""


def entry(tag, kind, count, value):
    """A field of a TIFF directory: a value of four bytes, or where it lies."""
    return struct.pack("<HHI", tag, kind, count) + (value if isinstance(value, bytes) else struct.pack("<I", value))


def exif():
    """A camera's name, and 59°54'50" N 10°45'8" E, as a phone writes them (EXIF 2.3, 4.6.2 to 4.6.6)."""
    first, places, values = 8, 8 + 2 + 2 * 12 + 4, 8 + 2 + 2 * 12 + 4 + 2 + 4 * 12 + 4
    ascii_, long, rational = 2, 4, 5
    directory = struct.pack("<H", 2) + entry(0x010F, ascii_, len(CAMERA), values) + entry(0x8825, long, 1, places) + bytes(4)
    degrees = values + len(CAMERA)
    gps = (
        struct.pack("<H", 4) + entry(1, ascii_, 2, b"N\0\0\0") + entry(2, rational, 3, degrees)
        + entry(3, ascii_, 2, b"E\0\0\0") + entry(4, rational, 3, degrees + 24) + bytes(4)
    )
    numbers = struct.pack("<12I", 59, 1, 54, 1, 50, 1, 10, 1, 45, 1, 8, 1)
    return b"Exif\0\0" + struct.pack("<2sHI", b"II", 42, first) + directory + gps + CAMERA + numbers


def with_exif(jpeg):
    """The picture with the block put behind its first marker."""
    block = exif()
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def assert_bare(picture):
    """Nothing is in it but pixels: no EXIF, no camera, no coordinates."""
    assert picture[:2] == b"\xff\xd8", "a JPEG"
    for trace in (b"Exif", CAMERA.strip(b"\0"), struct.pack("<4I", 59, 1, 54, 1), b"http://ns.adobe.com/xap"):
        assert trace not in picture


def assert_red_above(picture):
    picture.evaluate("(picture) => picture.decode()")
    red, green, blue, _ = picture.evaluate(TOP_COLOR)
    assert red > 200 and green < 60 and blue < 60, "it is the picture, upright"


def writing(friends, visit):
    """Two pages of a chat's messages, the second one's visitor, and a photo that the first one's camera took."""
    ada, ben = friends
    chat = ada.start_chat([ben], "Walk")
    sender, receiver = visit(ada, size=PHONE), visit(ben, size=PHONE)
    page, other = sender.go(f"#/chats/{chat}"), receiver.go(f"#/chats/{chat}")
    for each in (page, other):
        each.get_by_text("Messages", exact=True).click()
    return page, other, receiver, with_exif(base64.b64decode(page.evaluate(JPEG)))


def choose(page, name, kind, content):
    page.get_by_role("button", name="Send something else").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Send a photo").click()
    chooser.value.set_files({"name": name, "mimeType": kind, "buffer": content})


def test_a_photo_arrives_without_its_place(friends, visit):
    page, other, receiver, taken = writing(friends, visit)
    assert b"Exif" in taken and CAMERA in taken
    page.evaluate(KEEP_BODIES)
    choose(page, "IMG_0007.jpg", "image/jpeg", taken)
    for each in (page, other):
        expect(each.get_by_role("log", name="Messages").get_by_role("img", name="Photo")).to_be_visible()
    assert_bare(base64.b64decode(page.evaluate("sentBody")))
    picture = other.get_by_role("log", name="Messages").get_by_role("img", name="Photo")
    assert_red_above(picture)
    got = receiver.context.request.get(receiver.server.url + picture.get_attribute("src"))
    assert got.ok and got.headers["x-content-type-options"] == "nosniff"
    assert_bare(got.body())


def test_a_browser_that_hides_what_is_drawn_sends_a_photo_as_it_was_chosen_or_says_why_not(friends, visit):
    page, other, receiver, taken = writing(friends, visit)
    page.evaluate(HIDE_DRAWINGS)
    choose(page, "IMG_0008.jpg", "image/jpeg", taken)
    picture = other.get_by_role("log", name="Messages").get_by_role("img", name="Photo")
    expect(picture).to_be_visible()
    assert_red_above(picture)
    assert_bare(receiver.context.request.get(receiver.server.url + picture.get_attribute("src")).body())
    choose(page, "IMG_0009.png", "image/png", b"\x89PNG\r\n\x1a\n")
    expect(page.locator(".toast.failure")).to_contain_text("hides what is drawn")
    expect(picture).to_have_count(1)
