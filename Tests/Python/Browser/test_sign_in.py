"""Signing in and out, and invitations."""

import re

from playwright.sync_api import expect


def test_a_link_signs_in_once_and_leaves_the_address(owner, visit):
    link = owner.post("/v1/users", {"name": "Lin"})["link"]
    fragment = "#" + link.split("#", 1)[1]

    first = visit()
    page = first.go(fragment)
    expect(page.get_by_role("heading", name="Chats")).to_be_visible()
    expect(page.get_by_role("heading", name="Welcome to Yonder")).to_be_visible()
    assert "link=" not in page.url

    second = visit()
    second.expected.append("the server responded with a status of 40")
    page = second.go(fragment)
    expect(page.get_by_text("That link didn’t sign you in")).to_be_visible()
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    assert "link=" not in page.url


def test_signing_out_shows_the_welcome_and_lasts_after_a_reload(owner, visit):
    visitor = visit(owner.add("Mia"))
    page = visitor.go("#/you")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Mia")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="See where your people are")).to_be_visible()


def test_a_password_signs_in_and_a_wrong_one_does_not(owner, visit):
    link = owner.post("/v1/users", {"name": "Noor", "login": "noor"})["link"]
    visitor = visit()
    visitor.expected.append("the server responded with a status of 40")
    page = visitor.go("#" + link.split("#", 1)[1])
    page.get_by_role("link", name="You").click()
    page.get_by_label("New password").fill("correct horse battery")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()

    page.get_by_label("Login").fill("noor")
    page.get_by_label("Password").fill("wrong horse")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator(".toast.failure")).to_be_visible()
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Chats")).to_be_visible()
    expect(page.locator(".toast.failure")).to_have_count(0)


def test_an_invited_person_without_an_account_becomes_a_contact(owner, visit):
    host = visit(owner.add("Olga"))
    page = host.go("#/contacts")
    expect(page.get_by_role("heading", name="Nobody here yet")).to_be_visible()
    page.get_by_role("button", name="Invite somebody").first.click()
    url = page.get_by_label("Invitation link").input_value()
    assert re.fullmatch(rf"{re.escape(host.server.url)}/#invitation=\S+", url)

    guest = visit()
    other = guest.go("#" + url.split("#", 1)[1])
    expect(other.get_by_role("heading", name="Olga invites you")).to_be_visible()
    assert "invitation=" not in other.url
    other.get_by_label("Your name").fill("Pia")
    other.get_by_role("button", name="Accept the invitation").click()
    expect(other.get_by_role("list", name="Contacts").get_by_text("Olga")).to_be_visible()

    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("list", name="Contacts").get_by_text("Pia")).to_be_visible()

    late = visit()
    late.expected.append("the server responded with a status of 4")
    third = late.go("#" + url.split("#", 1)[1])
    expect(third.get_by_role("heading", name="This invitation can’t be opened")).to_be_visible()
    third.get_by_role("button", name="Go on").click()
    expect(third.get_by_role("heading", name="See where your people are")).to_be_visible()


def test_an_invited_person_with_an_account_accepts_as_themselves(owner, visit):
    host, guest = owner.add("Quinn"), owner.add("Rosa")
    url = host.post("/v1/invitations")["url"]
    page = visit(guest).go("#" + url.split("#", 1)[1])
    page.get_by_role("button", name="Accept as Rosa").click()
    expect(page.get_by_role("list", name="Contacts").get_by_text("Quinn")).to_be_visible()
    assert [contact["name"] for contact in host.get("/v1/contacts")["contacts"]] == ["Rosa"]
