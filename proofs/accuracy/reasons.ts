/** Texts of the suites that are read otherwise on purpose, at most 3 %. The values are the reasons. */
const severalDocuments = "The other documents are reported, and not joined with the first to a list.";
const missingValue = "A missing value is null: nothing says that it is a text.";
const cutNumber = "Nobody knows how this number goes on, so it is text.";
const fenceInString = "A fence in a string is text.";
const textAfter = "Text after the document is reported, and does not make the document invalid.";
const aboutOptions = "The suite tests an option of its library. The text is valid.";
const defaults = "Defaults are added by the schema library, not by JSON Schema.";
const valid = "The document is valid JSON.";
const comment = "The object continues after a comment: with # the suite reads it so, too.";
const document = "The schema expects an object, and the string contains one.";

export const reasons: Readonly<Record<string, string>> = {
  "json_repair: test_multiple_jsons #3": severalDocuments,
  "json_repair: test_multiple_jsons #4": severalDocuments,
  "json_repair: test_multiple_jsons #6": severalDocuments,
  "json_repair: test_parse_object_merge_at_the_end #4": severalDocuments,
  "json_repair: test_repair_json_skip_json_loads": missingValue,
  "json_repair: test_parse_object_edge_cases #31": missingValue,
  "jsonrepair: jsonrepair [$name] > repair invalid JSON > should repair truncated JSON #17": cutNumber,
  "json_repair: test_parse_number_edge_cases #14": cutNumber,
  "json_repair: test_string_json_llm_block #3": fenceInString,
  "json_repair: test_parse_comment #3": comment,
  "json_repair: test_parse_string_logs_invalid_code_fences": valid,
  "json_repair: test_parse_string_object_value_brace_heuristics": valid,
  "baml: mod.rs:test_string_from_string23": valid,
  "toolcalls: hermes sed regexp": valid,
  "jsonrepair: jsonrepair [$name] > should throw an exception in case of non-repairable issues #4": textAfter,
  "jsonrepair: jsonrepair [$name] > should throw an exception in case of non-repairable issues #6": textAfter,
  "json_repair-schema: test_schema_and_strict_are_mutually_exclusive": aboutOptions,
  "json_repair-schema: test_schema_non_string_ref_raises_definition_error": aboutOptions,
  "json_repair-schema: test_schema_salvage_mode_does_not_hide_schema_definition_errors": aboutOptions,
  "json_repair-schema: test_schema_optional_default_is_inserted": defaults,
  "schema: default applied": defaults,
  "json_repair-schema: test_schema_salvage_repairs_malformed_double_serialized_object_string": document,
};
