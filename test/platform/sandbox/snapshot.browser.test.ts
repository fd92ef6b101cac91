/** @file Frames of the sandbox that start from the snapshot of an earlier frame, with the real Python. */
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { fetchPython } from '../../../src/platform/sandbox/files';
import { openRoom, type Room } from '../../../src/platform/sandbox/room';
import { RoomSession } from '../../../src/platform/sandbox/room-session';

const rooms: Room[] = [];
afterEach(() => {
  for (const room of rooms.splice(0)) room.close();
});

async function open(snapshot: Blob | null): Promise<Room> {
  const room = await openRoom({ ...(await fetchPython()), ...(snapshot ? { snapshot } : {}) });
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
  const first = await open(null);
  const { snapshot } = first;
  if (!snapshot) throw new Error('The first room sent no snapshot.');
  await printed(first, 'import builtins\nbuiltins.leftover = 1');
  const code = `import builtins, random, uuid
print(hasattr(builtins, 'leftover'), sum(range(10)), hash('a'))
print(random.random(), uuid.uuid4())`;
  const later = [await open(snapshot), await open(snapshot)];
  expect(later.map((room) => room.snapshot)).toEqual([null, null]);
  const [one, other] = (await Promise.all(later.map((room) => printed(room, code)))).map((text) => text.split('\n'));
  expect(one?.[0]).toBe(await printed(await open(null), code).then((text) => text.split('\n')[0]));
  expect(one?.[0]).toMatch(/^False 45 /);
  expect(other?.[0]).toBe(one?.[0]);
  expect(other?.[1]).not.toBe(one?.[1]);
});
