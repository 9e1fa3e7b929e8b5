/**
 * What the server uses of the contract, found by types. Every property of what an operation takes is a
 * declaration in the generated types, and code that reads it refers to this declaration. Where a value is handed to a
 * type that is written by hand, the property of the same name is followed there.
 */
import { join, relative } from 'node:path';
import ts from 'typescript';

/** Something of the contract that the server must use. */
export interface ContractName {
  /**
   * Of an input: operation, place and name, such as `createDocument body title`; below the first level the schema and
   * the property, such as `signDocument body Signature.data`; a value of an enumeration stands after ` = `. Of an error:
   * `error` and its name.
   */
  readonly name: string;
  /** Whether code of the server reads the property, or names the value or the error. */
  readonly isUsed: boolean;
  /** The files that read the other properties of the same object, or name the other values of the same enumeration. */
  readonly neighbours: readonly string[];
}

/** All inputs and errors of the contract, as the server uses them. @param root of the project */
export function contractUses(root: string): ContractName[] {
  const program = programOf(root);
  const checker = program.getTypeChecker();
  const uses = new PropertyUses(checker);
  const words = new Map<string, Set<string>>();
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(join(root, 'handlers/'))) continue;
    uses.collectFile(file);
    collectWords(file, (word) => addTo(words, word, file.fileName));
  }
  const generated = (name: string): ts.SourceFile => {
    const file = program.getSourceFile(join(root, 'generated', name));
    if (file === undefined) throw new Error(`the server does not import generated/${name}`);
    return file;
  };
  const filesOf = (node: ts.PropertySignature | ts.LiteralTypeNode): string[] => [
    ...(ts.isLiteralTypeNode(node) ? (words.get(textOf(node)) ?? []) : uses.filesThatRead(node)),
  ];
  const named = [...declaredInputs(generated('handlers.ts'), checker), ...declaredErrors(generated('errors.ts'))];
  return named.map(([name, node]) => ({
    name,
    isUsed: isConstant(node, checker) || filesOf(node).length > 0,
    neighbours: [...new Set(neighboursOf(node).flatMap(filesOf))].map((file) => relative(root, file)).toSorted(),
  }));
}

/** The server's program without packages, which take more time than all the rest and know nothing of the contract. */
function programOf(root: string): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const read = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const options: ts.CompilerOptions = { ...read.options, types: [] };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => ({
      resolvedModule: text.startsWith('.') ? ts.resolveModuleName(text, from, options, host).resolvedModule : undefined,
    }));
  return ts.createProgram([join(root, 'handlers/main.ts')], options, host);
}

/** What stands beside a property or a value in the generated types. */
function neighboursOf(node: ts.PropertySignature | ts.LiteralTypeNode): (ts.PropertySignature | ts.LiteralTypeNode)[] {
  const { parent } = node;
  if (ts.isUnionTypeNode(parent)) return parent.types.filter(ts.isLiteralTypeNode).filter((each) => each !== node);
  const members = ts.isTypeLiteralNode(parent) ? parent.members.filter(ts.isPropertySignature) : [];
  return members.filter((each) => each !== node);
}

const textOf = ({ literal }: ts.LiteralTypeNode): string => (ts.isStringLiteral(literal) ? literal.text : '');

/** Finds all texts and names of properties below a node, those in types excepted. */
function collectWords(node: ts.Node, note: (word: string) => void): void {
  if (ts.isLiteralTypeNode(node)) return;
  if (ts.isStringLiteralLike(node)) note(node.text);
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) note(node.name.text);
  ts.forEachChild(node, (child) => collectWords(child, note));
}

/** Whether a property can have only one value, so that there is nothing to read. */
const isConstant = (node: ts.Node, checker: ts.TypeChecker): boolean =>
  ts.isPropertySignature(node) && checker.getNonNullableType(checker.getTypeAtLocation(node)).isLiteral();

/** All inputs by their names: a property's declaration in the generated types, or the node of an enumeration's value. */
function declaredInputs(
  generated: ts.SourceFile,
  checker: ts.TypeChecker,
): Map<string, ts.PropertySignature | ts.LiteralTypeNode> {
  const found = new Map<string, ts.PropertySignature | ts.LiteralTypeNode>();
  /** @param place operation and place @param owner the name of what the node belongs to */
  const visit = (node: ts.Node, place: string, owner: string): void => {
    if (ts.isTypeReferenceNode(node)) {
      const [alias] = checker.getSymbolAtLocation(node.typeName)?.declarations ?? [];
      if (alias && ts.isTypeAliasDeclaration(alias) && alias.getSourceFile().fileName.endsWith('types.gen.ts')) {
        const isSchema = ts.isTypeLiteralNode(alias.type);
        visit(alias.type, place, isSchema ? alias.name.text : owner);
      }
    }
    if (ts.isLiteralTypeNode(node) && textOf(node) !== '') found.set(`${place} ${owner} = ${textOf(node)}`, node);
    if (ts.isPropertySignature(node)) visitProperty(node, place, `${owner}.${nameOf(node)}`);
    else ts.forEachChild(node, (child) => visit(child, place, owner));
  };
  const visitProperty = (property: ts.PropertySignature, place: string, name: string): void => {
    const full = `${place} ${name}`;
    if (found.has(full)) return;
    found.set(full, property);
    // Nodes and not types: as a type, a union with `unknown`, such as that of a batch's records, is only `unknown`.
    if (property.type) visit(property.type, place, name);
  };
  const nameOf = (property: ts.PropertySignature) => checker.getSymbolAtLocation(property.name)?.name ?? '';
  for (const operation of membersOf('Inputs', generated)) {
    for (const place of checker.getTypeAtLocation(operation).getProperties()) {
      for (const { declarations = [] } of checker.getTypeOfSymbol(place).getProperties()) {
        for (const property of declarations.filter(ts.isPropertySignature)) {
          visitProperty(property, `${operation.name?.getText()} ${place.name}`, nameOf(property));
        }
      }
    }
  }
  return found;
}

/** The names of errors, with their nodes. */
function declaredErrors(generated: ts.SourceFile): [name: string, node: ts.LiteralTypeNode][] {
  const names = generated.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === 'ErrorName');
  const found: [string, ts.LiteralTypeNode][] = [];
  names?.forEachChild((type) =>
    type.forEachChild((node) => {
      if (ts.isLiteralTypeNode(node)) found.push([`error ${textOf(node)}`, node]);
    }),
  );
  return found;
}

function membersOf(name: string, file: ts.SourceFile): readonly ts.TypeElement[] {
  const found = file.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  return found && ts.isInterfaceDeclaration(found) ? found.members : [];
}

const isObject = (type: ts.Type) => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;

/** What code does with properties, each known by its declaration. */
class PropertyUses {
  readonly #checker: ts.TypeChecker;
  /** The files that read a property. */
  readonly #readers = new Map<ts.Declaration, Set<string>>();
  #file = '';
  /** The properties of other types to which the value of a property goes. */
  readonly #goesTo = new Map<ts.Declaration, Set<ts.Declaration>>();
  readonly #followed = new Map<ts.Type, Set<ts.Type>>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  /** The files that read a property, or one to which its value goes. */
  filesThatRead(property: ts.Declaration): ReadonlySet<string> {
    const files = new Set<string>();
    const reached = new Set([property]);
    for (const each of reached) {
      for (const file of this.#readers.get(each) ?? []) files.add(file);
      for (const next of this.#goesTo.get(each) ?? []) reached.add(next);
    }
    return files;
  }

  collectFile(file: ts.SourceFile): void {
    this.#file = file.fileName;
    this.#collect(file);
  }

  /** Notes the uses in a node and in everything below it. */
  #collect(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node)) this.#noteRead(this.#checker.getSymbolAtLocation(node.name));
    if (ts.isElementAccessExpression(node)) this.#noteKeys(node);
    if (ts.isBindingElement(node) && !node.dotDotDotToken) {
      const name = node.propertyName ?? node.name;
      const type = this.#checker.getTypeAtLocation(node.parent);
      if (ts.isIdentifier(name)) this.#noteRead(this.#checker.getPropertyOfType(type, name.text));
    }
    if (ts.isObjectLiteralExpression(node)) this.#noteTable(node);
    if (ts.isExpression(node)) {
      const target = this.#checker.getContextualType(node);
      if (target) this.#follow(this.#checker.getTypeAtLocation(node), target);
    }
    if (ts.isCallExpression(node)) this.#followIntoGeneric(node);
    ts.forEachChild(node, (child) => this.#collect(child));
  }

  #noteRead(symbol: ts.Symbol | undefined): void {
    for (const declaration of symbol?.declarations ?? []) addTo(this.#readers, declaration, this.#file);
  }

  /** `value[key]` reads every property that the key may name. */
  #noteKeys({ expression, argumentExpression }: ts.ElementAccessExpression): void {
    const type = this.#checker.getTypeAtLocation(expression);
    const key = this.#checker.getTypeAtLocation(argumentExpression);
    for (const part of key.isUnion() ? key.types : [key]) {
      if (part.isStringLiteral()) this.#noteRead(this.#checker.getPropertyOfType(type, part.value));
    }
  }

  /** A table with an entry for each property of a type (`{ [Name in keyof T]: … }`) says how each of them is read. */
  #noteTable(table: ts.ObjectLiteralExpression): void {
    const type = this.#checker.getContextualType(table);
    for (const entry of type === undefined ? [] : table.properties) {
      const name = entry.name && this.#checker.getSymbolAtLocation(entry.name)?.name;
      const named = name === undefined ? undefined : type?.getProperty(name);
      const isMapped = named?.declarations?.every((declaration) => ownSymbol(declaration) !== named);
      if (isMapped) this.#noteRead(named);
    }
  }

  /** Notes that values of one type become values of another. */
  #follow(from: ts.Type, to: ts.Type): void {
    if (from === to || this.#followed.get(from)?.has(to)) return;
    addTo(this.#followed, from, to);
    const isUnion = from.isUnion() || to.isUnion();
    for (const part of from.isUnion() ? from.types : []) this.#follow(part, to);
    for (const part of to.isUnion() ? to.types : []) this.#follow(from, part);
    if (isUnion || !isObject(from) || !isObject(to)) return;
    const item = this.#checker.getIndexTypeOfType(from, ts.IndexKind.Number);
    const itemTo = this.#checker.getIndexTypeOfType(to, ts.IndexKind.Number);
    // Of arrays, only what is in them.
    if (item && itemTo) this.#follow(item, itemTo);
    else for (const target of to.getProperties()) this.#followProperty(from, target);
  }

  #followProperty(from: ts.Type, target: ts.Symbol): void {
    const source = this.#checker.getPropertyOfType(from, target.name);
    const { declarations } = target;
    // A type such as `Record<'title', string>` names the property itself: whoever demands it reads it.
    if (declarations === undefined) this.#noteRead(source);
    if (source === undefined || declarations === undefined) return;
    const others = (source.declarations ?? []).filter((declaration) => !declarations.includes(declaration));
    for (const one of others) for (const other of declarations) addTo(this.#goesTo, one, other);
    if (others.length === 0) return;
    this.#follow(this.#checker.getTypeOfSymbol(source), this.#checker.getTypeOfSymbol(target));
  }

  /** The type of a generic parameter takes the argument's; what the function itself reads is in its constraint. */
  #followIntoGeneric(call: ts.CallExpression): void {
    const parameters = this.#checker.getResolvedSignature(call)?.declaration?.parameters ?? [];
    for (const [index, argument] of call.arguments.entries()) {
      const parameter = parameters[index];
      if (parameter === undefined || !ts.isParameter(parameter) || parameter.type === undefined) continue;
      const type = this.#checker.getTypeFromTypeNode(parameter.type);
      const constraint = this.#checker.getBaseConstraintOfType(type);
      if (constraint) this.#follow(this.#checker.getTypeAtLocation(argument), constraint);
    }
  }
}

/** The symbol that a declaration makes; that of a mapped type is another one with the same declaration. */
const ownSymbol = (declaration: ts.Declaration): ts.Symbol | undefined =>
  (declaration as ts.Declaration & { readonly symbol?: ts.Symbol }).symbol;

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}
