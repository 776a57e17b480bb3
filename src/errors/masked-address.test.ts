import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { maskedAddress } from "./masked-address.ts";
import { invalid } from "./palimpsest-error.ts";

const ADDRESSES: readonly (readonly [address: string, shown: string])[] = [
  ["memory", "memory"],
  ["sqlite:/home/me/a@b?password=no.db", "sqlite:/home/me/a@b?password=no.db"],
  ["postgres://host/db", "postgres://host/db"],
  ["postgres://me@host:5432/db?sslmode=require&application_name=agent", "postgres://me@host:5432/db?sslmode=require&application_name=agent"],
  ["postgres://me:hush@host/db", "postgres://me:***@host/db"],
  ["postgresql://me:hush@a,b:5433/db", "postgresql://me:***@a,b:5433/db"],
  ["postgres:///db?host=/tmp&user=me&password=hush", "postgres:///db?host=/tmp&user=me&password=***"],
  ["postgres://host/db?PASSWORD=hush&sslmode=verify-full", "postgres://host/db?PASSWORD=***&sslmode=verify-full"],
  ["postgres://host/db?p%61ssword=hush", "postgres://host/db?p%61ssword=***"],
  [
    "postgres://host/db?sslcert=/c.pem&sslkey=/hush.pem&sslpassword=hush&sslrootcert=/r.pem",
    "postgres://host/db?sslcert=/c.pem&sslkey=***&sslpassword=***&sslrootcert=/r.pem",
  ],
  ["postgres://host/db?hush", "postgres://host/db?***"],
  ["postgres://host/db#hush", "postgres://host/db#***"],
  // What should have been encoded.
  ["postgres://me:hu/sh@host/db", "postgres://me:***@host/db"],
  ["postgres://me:hu#sh@host/db", "postgres://me:***@host/db"],
  ["postgres://me:hu@sh@host/db", "postgres://me:***@host/db"],
  ["postgres://me:hu?sh@host/db", "postgres://…"],
  ["mysql://me:hush@host/db?ssl-key=hush", "mysql://me:***@host/db?ssl-key=***"],
  ["https://gateway.example/api?key=hush", "https://gateway.example/api?key=***"],
  ["postgres:me:hush@host", "postgres:…"],
  ["HTTPS://me:hush@host", "HTTPS://me:***@host"],
];

describe("an address is shown without its secrets", () => {
  for (const [address, shown] of ADDRESSES) test(address, () => assert.equal(maskedAddress(address), shown));
  test("also where it is refused", () => {
    assert.match(invalid("INVALID_OPTION", "options.store", "a store", "mysql://me:hush@host/db").message, /found "mysql:\/\/me:\*\*\*@host\/db"$/);
    assert.equal(invalid("INVALID_OPTION", "o", "a store", "mysql://host/db?password=hush").data["found"], '"mysql://host/db?password=***"');
  });
});
