'use strict';
const { createHash } = require('node:crypto');
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parseSync } = require('@swc/core');

/**
 * A small change to a source file that a test should notice.
 *
 * @typedef {{ id: string, folder: string, file: string, line: number, start: number, end: number,
 *   before: string, after: string }} Mutant `start` and `end` are byte offsets in the file
 */

const COMPARISONS = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['>=', '<='],
  '<=': ['>', '<'],
  '>': ['<=', '>='],
  '>=': ['<', '>'],
};
const OPERATORS = { ...COMPARISONS, '&&': ['||'], '||': ['&&'], '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'] };

/** Type declarations and names of other modules: nothing that runs. */
const SKIPPED = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ExportNamedDeclaration']);
const CASTS = new Set(['TsAsExpression', 'TsNonNullExpression', 'TsSatisfiesExpression', 'TsConstAssertion']);
const TEXTS = new Set(['StringLiteral', 'TemplateLiteral']);
const LOG_CALL = /^(await |void )?([\w.]+\.)?(logger|log)\??\./;

/** swc counts bytes from the first statement of all: this one. */
const FIRST = '0;';

/** All mutants of the TypeScript files of a folder, in the order of the files. */
function collectMutants(tree, folder) {
  const names = readdirSync(join(tree, folder), { recursive: true }).map(String);
  // Examples are for the documentation.
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('examples.ts')).sort();
  return files.flatMap((name) => mutantsOf(tree, folder, `${folder}/${name}`));
}

/** The same ones for the same seed and the same sources; a change elsewhere in the folder replaces few of them. */
function sample(mutants, count, seed) {
  const rank = ({ file, before, after, start }) => hash(`${seed} ${file} ${start} ${before} ${after}`);
  return mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count);
}

function mutantsOf(tree, folder, file) {
  const source = readFileSync(join(tree, file));
  const module = parseSync(FIRST + source.toString(), { syntax: 'typescript', target: 'es2022' });
  const base = module.body[0].span.start + FIRST.length;
  const range = ({ span }) => ({ start: span.start - base, end: span.end - base });
  const text = ({ start, end }) => source.subarray(start, end).toString();
  const found = [];
  const look = {
    text: (node) => text(range(node)),
    replace(node, after) {
      const { start, end } = range(node);
      found.push({ start, end, after });
    },
    /** @param operator stands between two nodes */
    replaceBetween(left, right, operator, after) {
      const gap = { start: range(left).end, end: range(right).start };
      const start = gap.start + Buffer.byteLength(text(gap).split(operator)[0]);
      found.push({ start, end: start + operator.length, after });
    },
  };
  for (const statement of module.body.slice(1)) walk(statement, undefined, look);
  return found.map((change) => ({
    id: `${file}:${change.start}-${change.end}:${hash(change.after).slice(0, 8)}`,
    folder,
    file,
    line: source.subarray(0, change.start).toString().split('\n').length,
    ...change,
    before: text(change),
  }));
}

function walk(node, parent, look) {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, parent, look);
    return;
  }
  if (!node || typeof node !== 'object') return;
  // An argument has no type of its own, and neither has a declarator's list.
  const { type } = node;
  if (type && (SKIPPED.has(type) || (type.startsWith('Ts') && !CASTS.has(type)))) return;
  if (type === 'ExpressionStatement' && LOG_CALL.test(look.text(node))) return;
  mutate(node, parent, look);
  const inner = type ? node : parent;
  for (const [key, child] of Object.entries(node)) if (key !== 'span') walk(child, inner, look);
}

function mutate(node, parent, look) {
  const mutator = MUTATORS[node.type];
  if (mutator) mutator(node, look, parent);
}

const MUTATORS = {
  BinaryExpression({ operator, left, right }, look) {
    const isText = operator === '+' && (TEXTS.has(left.type) || TEXTS.has(right.type));
    if (isText) return;
    for (const after of OPERATORS[operator] ?? []) look.replaceBetween(left, right, operator, after);
  },
  BooleanLiteral(node, look) {
    look.replace(node, String(!node.value));
  },
  NumericLiteral(node, look, parent) {
    const isIndex = parent.type === 'Computed' && node.value <= 1;
    const isKey = parent.type === 'KeyValueProperty' && parent.key === node;
    if (!isIndex && !isKey) look.replace(node, String(node.value + 1));
  },
  ConditionalExpression({ test, consequent, alternate, span }, look) {
    look.replace({ span }, `${look.text(test)} ? ${look.text(alternate)} : ${look.text(consequent)}`);
  },
  IfStatement({ test, consequent, alternate }, look) {
    // A comparison is negated by its own mutator.
    if (!(test.operator in COMPARISONS)) look.replace(test, `!(${look.text(test)})`);
    const last = consequent.type === 'BlockStatement' ? consequent.stmts.at(-1) : consequent;
    if (!alternate && last?.type === 'ReturnStatement') look.replace(last, ';');
  },
  ExpressionStatement(node, look) {
    const { expression } = node;
    const call =
      expression.type === 'AwaitExpression' || expression.operator === 'void' ? expression.argument : expression;
    if (call.type === 'CallExpression' && call.callee.type !== 'Super') look.replace(node, ';');
  },
};

function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}

module.exports = { collectMutants, sample };
