import { expect, test } from 'vitest';
import { originOf } from '../../../../src/core/contract';

test.each([
  ['https://api.example.com/v1?key=a#part', 'https://api.example.com'],
  ['https://API.example.com:443', 'https://api.example.com'],
  ['http://localhost:1234/v1', 'http://localhost:1234'],
  ['https://user@api.example.com', 'https://api.example.com'],
  ['https://api.example.com', 'https://api.example.com'],
  ['api.example.com', ''],
  ['', ''],
])('originOf(%j) is %j', (address, origin) => {
  expect(originOf(address)).toBe(origin);
});
