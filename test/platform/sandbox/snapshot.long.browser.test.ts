/** @file Tests sandbox frames that start Python from a memory snapshot of an earlier frame. */
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import type { RuntimeFiles } from '../../../src/platform/sandbox/protocol';
import { openRoom, type Room } from '../../../src/platform/sandbox/room';
import { RoomSession } from '../../../src/platform/sandbox/room-session';
import { fetchPython } from '../../../src/platform/sandbox/sandbox';

const rooms: Room[] = [];
afterEach(() => {
  for (const room of rooms.splice(0)) room.close();
});

async function open(files: RuntimeFiles): Promise<Room> {
  const room = await openRoom(files);
  rooms.push(room);
  return room;
}

async function printed(room: Room, code: string): Promise<string> {
  const session = new RoomSession(room, systemClock);
  const outcome = await session.run(code, { timeLimit: 60_000 }, new AbortController().signal);
  expect(outcome).toMatchObject({ ok: true });
  return outcome.stdout;
}

it('a frame that starts from a snapshot has no state of earlier frames, and its own random numbers', async () => {
  const files = await fetchPython();
  const first = await open(files);
  const { snapshot } = first;
  if (!snapshot) throw new Error('The first room sent no snapshot.');
  const code = `import builtins, random, uuid
print(hasattr(builtins, 'leftover'), sum(range(10)), hash('a'))
print(random.random(), uuid.uuid4())`;
  const expected = (await printed(first, `${code}\nbuiltins.leftover = 1`)).split('\n');
  const later = [await open({ ...files, snapshot }), await open({ ...files, snapshot })];
  expect(later.map((room) => room.snapshot)).toEqual([null, null]);
  const [one, other] = (await Promise.all(later.map((room) => printed(room, code)))).map((text) => text.split('\n'));
  expect(expected[0]).toMatch(/^False 45 /);
  expect(one?.[0]).toBe(expected[0]);
  expect(other?.[0]).toBe(expected[0]);
  expect(one?.[1]).not.toBe(expected[1]);
  expect(other?.[1]).not.toBe(one?.[1]);
});
