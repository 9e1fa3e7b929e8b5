// Made from openapi.yaml by `npm run generate`; never edited by hand. What the patterns of the contract demand, in words.

/** By pattern: the end of a sentence that begins with the name of the field. */
export const patternWords: Readonly<Record<string, string>> = {
  '^[A-Za-z0-9._-]{1,128}$': 'must be 1 to 128 characters of A–Z a–z 0–9 . _ -',
  '^"key";r=[0-9]+;t=[0-9]+$': 'must be "key", then r and t in decimal digits',
  '^[!-~]+$': 'must be visible ASCII characters',
  '^t=[0-9]{10,},v1=[0-9a-f]{64}$': 'must be t with at least 10 digits and v1 with 64 lower-case hexadecimal digits',
  '^[A-Z][A-Z_]*(\\.[A-Z][A-Z_]*)?$': 'must be one name of A–Z and _, or two with a dot between them, each beginning with a letter',
  '^[0-9]+(\\.[0-9]{1,9})?s$': 'must be seconds in decimal digits, with at most nine fraction digits, and the unit s',
  '^https?://[^/]': 'must be an absolute http or https URL',
  '^[0-9]{12}$': 'must be 12 digits',
  '^[a-z_]+\\.[a-z_]+$': 'must be two names of a–z and _ with a dot between them',
  '^(0|[1-9][0-9]*)$': 'must be a decimal integer without sign and leading zeros',
  '\\S': 'must say something: it has only white space',
  '^[^/\\\\]*$': 'must hold neither / nor \\, because it is a name and no path',
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$': 'must hold no control characters and no line separators',
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029/\\\\]+$': 'must hold neither / nor \\, because it is a name and no path and must hold no control characters and no line separators',
  '^[1-9][0-9]{0,7}$': 'must be a decimal integer of 1 to 8 digits, without sign, fraction and leading zeros',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T00:00:00$': 'must be a day as YYYY-MM-DD, alone or with T00:00:00 after it',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]00:00(:00([.,]0{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$': 'must be a day as YYYY-MM-DD, alone or with midnight after it',
  '^([0-9]{12})?$': 'must be 12 digits or empty',
  '^[Hh][Tt][Tt][Pp][Ss]://[^#]': 'must be an https URL',
  '^\\S*$': 'must hold no blanks',
  '^[^#]*$': 'must have no fragment',
  '^[Hh][Tt][Tt][Pp][Ss]://[^\\s#]+$': 'must be an https URL and must hold no blanks and must have no fragment',
  '^whsec_[A-Za-z0-9_-]{43}$': 'must be whsec_, then 43 characters of base64url',
};
