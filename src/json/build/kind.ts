/**
 * The kinds of values, as bit flags: `import * as Kind`. An incomplete value may have more than one of them. Constants,
 * because a bundler writes those as numbers.
 */
const OBJECT = 1;
const ARRAY = 2;
const STRING = 4;
const NUMBER = 8;
const TRUE = 16;
const FALSE = 32;
const NULL = 64;

// Only for `Kind.STRING`: other constants have the same names.
export { ARRAY, FALSE, NULL, NUMBER, OBJECT, STRING, TRUE };
