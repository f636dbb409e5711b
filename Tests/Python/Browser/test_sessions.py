"""Where one is signed in, on one's settings page."""

from playwright.sync_api import expect


def test_sessions_are_listed_and_ended_one_by_one(owner, visit, check):
    pia = owner.add("Pia")
    visitor = visit(pia)
    other = pia.server.sign_in(owner.post(f"/v1/users/{pia.user}/links")["url"])

    page = visitor.go("#/you")
    sessions = page.get_by_role("list", name="Your sessions").get_by_role("listitem")
    expect(sessions).to_have_count(2)
    expect(sessions.filter(has_text="This browser")).to_have_count(1)
    expect(sessions.filter(has_text="127.0.0.1")).to_have_count(2)
    check(page, "sessions")

    page.get_by_role("button", name="End the session of Unknown browser").click()
    expect(page.get_by_text("Unknown browser is signed out.")).to_be_visible()
    expect(sessions).to_have_count(1)
    status, _, answer = other.request("GET", "/v1/session")
    assert (status, answer["error"]["code"]) == (401, "notSignedIn")
    expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()


def test_changes_of_the_sign_in_are_shown_and_other_sessions_end_at_once(owner, visit, check):
    pia = owner.add("Pia")
    visitor = visit(pia)
    page = visitor.go("#/you")
    expect(page.get_by_role("heading", name="Changes of your sign-in")).to_be_hidden()
    expect(page.get_by_label("Present password")).to_be_hidden()

    page.get_by_label("New password").fill("correct horse")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Saved")).to_be_visible()
    expect(page.get_by_label("Present password")).to_be_visible()

    # An e-mail address asks for the password.
    password = page.get_by_label("Your password, for the new e-mail address")
    expect(password).to_be_hidden()
    page.get_by_label("E-mail, seen by people you chat with").fill("pia@example.org")
    password.fill("correct horse")
    page.get_by_role("button", name="Save").click()
    expect(password).to_be_hidden()
    assert pia.get("/v1/me")["user"]["email"] == "pia@example.org"

    other = pia.server.sign_in(owner.post(f"/v1/users/{pia.user}/links")["url"])
    page = visitor.go("#/chats")
    page = visitor.go("#/you")
    changes = page.get_by_role("list", name="Changes of your sign-in").get_by_role("listitem")
    expect(changes).to_have_count(3)
    expect(changes.nth(0)).to_contain_text("Sign-in link made")
    expect(changes.nth(0)).to_contain_text("by an operator")
    expect(changes.nth(1)).to_contain_text("E-mail address changed")
    expect(changes.nth(2)).to_contain_text("by you")
    page.get_by_role("button", name="End all other sessions").scroll_into_view_if_needed()
    check(page, "changes")
    page.get_by_role("button", name="End all other sessions").click()
    expect(page.get_by_text("Only this browser is signed in.")).to_be_visible()
    assert other.request("GET", "/v1/session")[0] == 401
