import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { PlaceNames, placeNameText } from '../../Web/app/places/place-names.js';

const VADUZ = { latitude: 47.139, longitude: 9.5226 };
const north = (meters) => ({ ...VADUZ, latitude: VADUZ.latitude + meters / 111_195 });
/** Lets promises that are settled go on. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

async function named(answer) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const asked = [];
  const names = new PlaceNames(() => {}, async ({ positions }) => {
    asked.push(positions);
    return { names: positions.map(answer) };
  });
  const pass = async () => {
    mock.timers.tick(650);
    await settled();
  };
  return { names, asked, pass };
}

test('people are asked for together, and again after 100 m at most', async (context) => {
  context.after(() => mock.timers.reset());
  const { names, asked, pass } = await named(() => ({ street: 'Städtle', settlement: 'Vaduz', distance: 4 }));
  assert.equal(names.nameOf('a', VADUZ), undefined);
  names.nameOf('b', north(2_000));
  await pass();
  assert.equal(asked.length, 1);
  assert.equal(asked[0].length, 2);
  assert.equal(placeNameText(names.nameOf('a', north(90))), 'Städtle, Vaduz');
  await pass();
  assert.equal(asked.length, 1);
  names.nameOf('a', north(110));
  await pass();
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[1], [north(110)]);
});

test('more than fifty people are asked for in several requests, and nobody twice', async (context) => {
  context.after(() => mock.timers.reset());
  const { names, asked, pass } = await named(() => null);
  for (let person = 0; person < 120; person += 1) names.nameOf(String(person), north(person));
  for (let round = 0; round < 4; round += 1) await pass();
  assert.deepEqual(asked.map((positions) => positions.length), [50, 50, 20]);
});

test('where nothing is near there is no name, and it is not asked for again', async (context) => {
  context.after(() => mock.timers.reset());
  const { names, asked, pass } = await named(() => null);
  names.nameOf('a', VADUZ);
  await pass();
  assert.equal(names.nameOf('a', VADUZ), undefined);
  await pass();
  assert.equal(asked.length, 1);
});

test('a name far away is near a town', () => {
  assert.equal(placeNameText({ settlement: 'Vaduz', distance: 900 }), 'Vaduz');
  assert.equal(placeNameText({ settlement: 'Vaduz', distance: 9_000 }), 'near Vaduz');
  assert.equal(placeNameText({ settlement: 'Vaduz', distance: 9_000 }, (town) => `bei ${town}`), 'bei Vaduz');
  assert.equal(placeNameText({ street: 'Rheindamm', distance: 3 }), 'Rheindamm');
});
