import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { keyedChanges } from '../../Web/app/map/keyed-changes.js';
import { isMovedAnnotation, isSameAnnotation, objectAnnotations } from '../../Web/app/region/object-annotations.js';
import { contains, covers, padded } from '../../Web/app/region/region.js';
import { RegionCache } from '../../Web/app/region/region-cache.js';
import { objectKind, personKind } from '../../Web/app/region/region-kinds.js';
import { RegionList } from '../../Web/app/region/region-list.js';
import { RegionQuery } from '../../Web/app/region/region-query.js';

function fixtures(folder) {
  const url = new URL(`../Fixtures/map/${folder}/`, import.meta.url);
  return readdirSync(url).sort().map((name) => JSON.parse(readFileSync(new URL(name, url), 'utf8')));
}

for (const fixture of fixtures('regions')) {
  test(fixture.title, () => {
    for (const { region, place, inside } of fixture.contains) assert.equal(contains(region, place), inside, JSON.stringify([region, place]));
    for (const { outer, inner, covers: isInside } of fixture.covers) assert.equal(covers(outer, inner), isInside, JSON.stringify([outer, inner]));
    for (const { region, fraction, padded: wider } of fixture.padded) assert.deepEqual(padded(region, fraction), wider);
  });
}

function stateOf(list, kind) {
  const shown = Object.fromEntries([...list.shown].map(([key, item]) => {
    const { latitude, longitude } = kind.place(item);
    return [key, [latitude, longitude]];
  }));
  return { current: list.isCurrent, total: list.total, shown, held: list.held ?? null };
}

function keysOf(change, kind) {
  if (change === undefined) return null;
  const keys = (items) => items.map((item) => kind.key(item)).sort();
  const { entered, changed, moved, left, gone } = change;
  return { entered: keys(entered), changed: keys(changed), moved: keys(moved), left: left.toSorted(), gone: gone.toSorted() };
}

for (const { title, query, region, limit, steps } of fixtures('lists')) {
  test(title, () => {
    const kind = query === 'people' ? personKind : objectKind();
    const list = new RegionList(kind, region, limit);
    steps.forEach((step, index) => {
      const place = `step ${index}`;
      if (step.do === 'open') assert.deepEqual(list.reopen(), step.asks, place);
      if (step.do === 'move') assert.deepEqual(list.move(step.region) ?? null, step.asks, place);
      if (step.do === 'hold') list.hold(step.key);
      if (step.do === 'frame') {
        assert.deepEqual(keysOf(list.apply(step.frame), kind), step.change, place);
        assert.deepEqual(list.nextMove() ?? null, step.asks ?? null, place);
      }
      assert.deepEqual(stateOf(list, kind), step.state, place);
    });
  });
}

const written = {
  wait: ({ until }) => ({ wait: until }),
  ask: ({ number, region }) => ({ ask: number, region }),
  show: ({ answer }) => ({ show: answer.number, cached: answer.cached, total: answer.total, ids: answer.items.map(({ id }) => id) }),
  fail: ({ number, refusal }) => ({ fail: number, code: refusal.code }),
};

function perform(query, cache, step) {
  const { at, look, answered, failed, items, total, code } = step;
  if (look) return query.look(look, at);
  if (step.wake) return query.wake(at);
  if (step.again) return query.again(at);
  if (step.forget) {
    cache.forget('cafe');
    return [];
  }
  if (answered) return query.answered(answered, { items, total }, at);
  return query.failed(failed, { code, message: '' }, at);
}

for (const { title, settings: { kept = [], entries, ...settings }, steps } of fixtures('queries')) {
  test(title, () => {
    const cache = new RegionCache({ entries });
    for (const { at, ...answer } of kept) cache.store('cafe', answer, at);
    const query = new RegionQuery({ source: 'cafe', place: (item) => item, cache, ...settings });
    steps.forEach((step, index) => {
      const actions = perform(query, cache, step).map((action) => written[action.kind](action));
      assert.deepEqual(actions, step.actions, `step ${index}`);
      if (step.shown !== undefined) assert.equal(query.shown.number, step.shown, `step ${index}`);
      if (step.kept !== undefined) assert.equal(cache.size, step.kept, `step ${index}`);
    });
  });
}

for (const { title, steps } of fixtures('places')) {
  test(title, () => {
    let shown = new Map();
    let selection = null;
    steps.forEach((step, index) => {
      if (step.select !== undefined) selection = shown.has(step.select) ? step.select : null;
      const next = objectAnnotations(step.objects, 'at', { title: ({ fields }) => fields.name });
      const { added, moved, changed, removed } = keyedChanges(shown, next, isSameAnnotation, isMovedAnnotation);
      shown = next;
      if (!shown.has(selection)) selection = null;
      const keys = (items) => items.map(({ key }) => key).sort();
      const changes = { added: keys(added), moved: keys(moved), changed: keys(changed), removed: removed.toSorted() };
      assert.deepEqual(Object.fromEntries(Object.entries(changes).filter(([, names]) => names.length > 0)), step.changes, `step ${index}`);
      const titles = [...next].map(([key, annotation]) => [key, [annotation.title ?? null, annotation.subtitle ?? null]]);
      assert.deepEqual(Object.fromEntries(titles), step.titles, `step ${index}`);
      for (const annotation of next.values()) assert.equal(step.objects.includes(annotation.object), true);
      assert.equal(selection, step.selection, `step ${index}`);
    });
  });
}
