// @ts-check

/** The most positions that *View all locations* holds of a chat at once. */
export const HELD_AT_MOST = 200_000;
/** How many positions are asked for at once: a few, so that the first picture comes soon, and then as many as the server sends. */
export const FIRST_PAGE = 2_000;
export const PAGE = 10_000;
/** How many answers are read for one stretch at most, also where most positions in them have been erased. */
export const PAGES_AT_MOST = 100;
/** How many of a chat's newest messages the simplified lines are of that are drawn until the positions have come. */
export const OVERVIEW_MESSAGES = 100_000;
/** How many points these lines have at most. */
export const OVERVIEW_POINTS = 20_000;
/** How many dots, and how many points of lines, are handed to the map at most. */
export const DOTS_AT_MOST = 4_000;
export const LINE_POINTS_AT_MOST = 20_000;
