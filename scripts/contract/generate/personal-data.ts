import { type Contract, ContractError, entriesOf, operationsOf, reachableSchemas, schemasIn } from '../read.ts';
import { heading, literal, rowsOf, union } from './literal.ts';

/**
 * The marks `x-personal-data` and `x-secret` of all component schemas: keys by the names of properties, those of them that
 * redacted_fields can hold because their properties are part of answers, and the names of secrets.
 * @throws ContractError if one property name has two keys: masking looks at the property name alone.
 */
function personalDataOf(contract: Contract) {
  const answered = reachableSchemas(
    contract,
    operationsOf(contract).map(({ answer }) => answer),
  );
  const fields = new Map<string, string>();
  const redactionKeys = new Set<string>();
  const secrets = new Set<string>();
  for (const [schemaName, schema] of entriesOf(contract.components.schemas)) {
    for (const [node] of schemasIn(schema)) {
      for (const [name, property] of entriesOf(node.properties)) {
        const { 'x-personal-data': mark, 'x-secret': isSecret } = property;
        if (isSecret === true) secrets.add(name);
        if (mark === undefined) continue;
        const other = fields.get(name);
        if (other !== undefined && other !== mark) {
          throw new ContractError(
            `${schemaName}.${name} is marked ${mark}, and ${other} elsewhere. One property name can have one key only, as masking goes by the name.`,
          );
        }
        fields.set(name, mark);
        if (answered.includes(schemaName)) redactionKeys.add(mark);
      }
    }
  }
  return {
    fields: new Map([...fields].sort(([a], [b]) => (a < b ? -1 : 1))),
    redactionKeys: [...redactionKeys].sort(),
    secrets: [...secrets].sort(),
  };
}

/** The text of generated/personal-data.ts. */
export function personalDataModule(contract: Contract): string {
  const { fields, redactionKeys, secrets } = personalDataOf(contract);
  return `${heading('the fields that hold personal data or secrets')}
/** A key that redacted_fields may contain. */
export type RedactionKey = ${union(redactionKeys)};

/** Property name → key of what it holds. Properties of requests are among them, with keys that no answer ever lists. */
export const personalDataFields: Readonly<Record<string, string>> = {
${rowsOf(fields)}
};

/** All keys that redacted_fields may contain, sorted. */
export const redactionKeys: readonly RedactionKey[] = ${literal(redactionKeys)};

/** Names of the properties that hold secrets. */
export const secretFields: readonly string[] = ${literal(secrets)};
`;
}
