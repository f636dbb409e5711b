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
