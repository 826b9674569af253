/**
 * The states of the tokenizer, each with text that leads there. This file imports nothing, so that a bundler writes them
 * as numbers.
 */

// The first one is also that of the text around the root.
export const TEXT = 0; // <a>x
export const OPEN = 1; // <
export const BANG = 2; // <!
export const COMMENT_TEXT = 3; // <!--
export const COMMENT_HYPHEN = 4; // <!-- -
export const COMMENT_END = 5; // <!-- --
export const SECTION = 6; // <![CDATA[
export const SECTION_BRACKET = 7; // <![CDATA[]
export const SECTION_BRACKETS = 8; // <![CDATA[]]
export const TARGET_START = 9; // <?
export const TARGET = 10; // <?a
export const INSTRUCTION = 11; // <?a b
export const INSTRUCTION_END = 12; // <?a b?

// In a document type.
export const DOCTYPE = 13; // <!DOCTYPE
export const DOCTYPE_QUOTED = 14; // <!DOCTYPE "
export const SUBSET = 15; // <!DOCTYPE a [
export const SUBSET_QUOTED = 16; // <!DOCTYPE a ["
export const SUBSET_OPEN = 17; // <!DOCTYPE a [<
export const SUBSET_BANG = 18; // <!DOCTYPE a [<!
export const SUBSET_HYPHEN = 19; // <!DOCTYPE a [<!-
export const SUBSET_COMMENT = 20; // <!DOCTYPE a [<!--
export const SUBSET_COMMENT_HYPHEN = 21; // <!DOCTYPE a [<!-- -
export const SUBSET_COMMENT_END = 22; // <!DOCTYPE a [<!-- --
export const SUBSET_INSTRUCTION = 23; // <!DOCTYPE a [<?
export const SUBSET_INSTRUCTION_END = 24; // <!DOCTYPE a [<? ?

// In a tag.
export const END_TAG = 25; // </a
export const END_TAG_SPACE = 26; // </a and a space
export const TAG_NAME = 27; // <a
export const TAG_SLASH = 28; // <a/
export const TAG_SPACE = 29; // <a and a space
export const ATTRIBUTE_NAME = 30; // <a b
export const ATTRIBUTE_SPACE = 31; // <a b and a space
export const ATTRIBUTE_EQUALS = 32; // <a b=
export const ATTRIBUTE_VALUE = 33; // <a b="
export const ATTRIBUTE_END = 34; // <a b="c"
