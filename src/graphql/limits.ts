import {
  GraphQLError,
  Kind,
  type ASTVisitor,
  type FieldNode,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";
import { PAGE_AT_MOST } from "../db/page";

/** Root fields of one operation, aliases included: as many intents as one request may carry. */
const ROOT_FIELDS_AT_MOST = 20;

/** Levels below an operation. The deepest useful query has eight. */
const DEPTH_AT_MOST = 12;

/**
 * Introspection may go so much deeper: graphql-js's own query, which every tool sends, has fifteen levels. Its lists
 * inside lists are bounded by a rule of graphql-js.
 */
const DEEPER_IN_INTROSPECTION = 4;

/** Fields of one operation, those of fragments counted wherever they are spread. */
const FIELDS_AT_MOST = 1_000;

/**
 * Rows that one operation may ask for: lists inside lists multiply. A page of a hundred payments, each with a hundred
 * operations, refunds and events, is below it; a third list in a row is not.
 */
const ROWS_AT_MOST = 50_000;

/** Refuses documents that ask for too much, before anything is done. */
export function limitsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const size = measure(context, operation.selectionSet, { depth: 1, times: 1, open: new Set() });
      const roots = measureRoots(context, operation.selectionSet, new Set());
      const tell = (message: string) =>
        context.reportError(new GraphQLError(message, { nodes: [operation] }));
      if (roots > ROOT_FIELDS_AT_MOST)
        tell(`An operation may have at most ${ROOT_FIELDS_AT_MOST} root fields.`);
      if (size.depth > DEPTH_AT_MOST) tell(`An operation may be at most ${DEPTH_AT_MOST} levels deep.`);
      if (size.fields > FIELDS_AT_MOST) tell(`An operation may ask for at most ${FIELDS_AT_MOST} fields.`);
      if (size.rows > ROWS_AT_MOST)
        tell(`An operation may ask for at most ${ROWS_AT_MOST} rows: its lists inside lists multiply.`);
    },
  };
}

interface Size {
  fields: number;
  depth: number;
  rows: number;
}

/** Where a selection stands. */
interface Place {
  depth: number;
  /** How often it may be answered: the product of the lists around it. */
  times: number;
  /** The fragments on the way here: a cycle, which another rule reports, must not run for ever. */
  open: Set<string>;
}

function measure(context: ValidationContext, set: SelectionSetNode, { depth, times, open }: Place): Size {
  const size: Size = { fields: 0, depth, rows: 0 };
  for (const selection of set.selections) {
    if (size.fields > FIELDS_AT_MOST || depth > DEPTH_AT_MOST) break;
    if (selection.kind === Kind.FIELD) size.fields += 1;
    const inner =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? context.getFragment(selection.name.value)?.selectionSet
        : selection.selectionSet;
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : null;
    if (!inner || (name !== null && open.has(name))) continue;
    const rows = selection.kind === Kind.FIELD ? times * rowsOf(selection) : times;
    const below = measure(context, inner, {
      depth: selection.kind === Kind.FIELD ? depthBelow(selection, depth) : depth,
      times: rows,
      open: name === null ? open : new Set([...open, name]),
    });
    size.fields += below.fields;
    size.depth = Math.max(size.depth, below.depth);
    size.rows += (rows === times ? 0 : rows) + below.rows;
  }
  return size;
}

/** How many rows a list may have; 1 for what is none. */
function rowsOf({ arguments: given = [], selectionSet }: FieldNode): number {
  const isList = selectionSet?.selections.some(
    (inner) => inner.kind === Kind.FIELD && ["nodes", "edges"].includes(inner.name.value),
  );
  const size = given.find(({ name }) => name.value === "first" || name.value === "last")?.value;
  if (size?.kind === Kind.INT) return Math.max(1, Number(size.value));
  // A variable is not known here: as many as there may be.
  if (size) return PAGE_AT_MOST;
  return isList ? LARGEST_DEFAULT : 1;
}

/** The largest page that is given where none is asked for: that of a history. */
const LARGEST_DEFAULT = 50;

function depthBelow({ name }: FieldNode, depth: number): number {
  return name.value.startsWith("__") ? depth + 1 - DEEPER_IN_INTROSPECTION : depth + 1;
}

function measureRoots(context: ValidationContext, set: SelectionSetNode, open: Set<string>): number {
  let roots = 0;
  for (const selection of set.selections) {
    if (roots > ROOT_FIELDS_AT_MOST) break;
    if (selection.kind === Kind.FIELD) roots += 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      roots += measureRoots(context, selection.selectionSet, open);
    else if (!open.has(selection.name.value)) {
      const inner = context.getFragment(selection.name.value)?.selectionSet;
      if (inner) roots += measureRoots(context, inner, new Set([...open, selection.name.value]));
    }
  }
  return roots;
}
