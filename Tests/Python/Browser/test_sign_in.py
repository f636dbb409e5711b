"""Signing in and out, and invitations."""

import re

import pytest
from conftest import PHONE
from playwright.sync_api import expect
from truth import bar, running
from yonder import Refusal


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


def test_a_link_where_somebody_is_signed_in_asks_first_and_signs_them_out_with_their_sharing_named(friends, owner, visit):
    ada, ben = friends
    chat = ada.start_chat([ben], "Family")
    link = owner.post("/v1/users", {"name": "Cyd"})["link"]
    fragment = "#" + link.split("#", 1)[1]
    hers = visit(ada, size=PHONE)
    page = hers.go(f"#/chats/{chat}")
    bar(page).get_by_role("button", name="Share my position").click()
    expect(bar(page)).to_contain_text("You share here")

    tab = hers.open()
    tab.goto(f"{hers.server.url}/{fragment}")
    question = tab.get_by_role("dialog")
    expect(question).to_contain_text("Use this sign-in link?")
    expect(question).to_contain_text("You are signed in as Ada Lovelace.")
    expect(question).to_contain_text("Family")
    assert "link=" not in tab.url
    question.get_by_role("button", name="Cancel").click()
    expect(tab.get_by_role("heading", name="Chats")).to_be_visible()
    assert running(ada), "she goes on"

    tab.goto(f"{hers.server.url}/#/chats")
    tab.evaluate(f"location.hash = '{fragment}'")
    question.get_by_role("button", name="Sign out, and use the link").click()
    expect(tab.get_by_role("heading", name="Welcome to Yonder")).to_be_visible()
    assert "link=" not in tab.url
    tab.goto(f"{hers.server.url}/#/you")
    expect(tab.get_by_label("Name", exact=True)).to_have_value("Cyd")
    shared = ben.get(f"/v1/chats/{chat}/shares")["shares"]
    assert [share["freshness"]["state"] for share in shared] == ["ended"]
    with pytest.raises(Refusal, match="notSignedIn"):
        ada.get("/v1/session")


def test_where_the_browser_refuses_storage_an_invitation_opens_a_page_that_works_and_says_what_is_missing(owner, visit):
    link = owner.add("Olga").post("/v1/invitations")["url"]
    guest = visit(size=PHONE)
    guest.page.add_init_script("""for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied.', 'SecurityError'); } });
    }""")
    page = guest.go("#" + link.split("#", 1)[1])
    expect(page.get_by_text("This browser keeps nothing for this page.")).to_be_visible()
    page.get_by_label("Your name").fill("Pia")
    page.get_by_role("button", name="Accept the invitation").click()
    expect(page.get_by_role("list", name="Contacts").get_by_text("Olga")).to_be_visible()
