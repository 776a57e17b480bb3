import type { Random } from "../../bench/threads/random.ts";

const DIGITS = "0123456789";
const SMALL = "abcdefghijklmnopqrstuvwxyz";
export const HEX: string = `${DIGITS}abcdef`;
const BASE36: string = `${DIGITS}${SMALL}`;
export const BASE62: string = `${DIGITS}${SMALL.toUpperCase()}${SMALL}`;

export function randomString(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random.integer(0, alphabet.length - 1))).join("");
}

export function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => randomString(random, HEX, length)).join("-");
}

/** As APIs write them: `call_V3rB…`, `req-8f0a…`. */
export function apiId(random: Random): string {
  const prefix = random.pick(["call_", "toolu_", "msg_", "cus_", "evt_", "req-", "usr-", ""]);
  return `${prefix}${randomString(random, random.pick([BASE62, BASE62, BASE36, HEX]), random.pick([8, 16, 24]))}`;
}

export function randomBase64(random: Random, bytes: number): string {
  return Buffer.from(Uint8Array.from({ length: bytes }, () => random.integer(0, 255))).toString("base64");
}
