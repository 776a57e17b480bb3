/** Reads the members of an exported interface from its source, with types and doc comments. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export interface DocumentedMember {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** On one line; empty if there is no comment. */
  readonly text: string;
}

/** Throws if the file has no such interface. Inherited members are not included. */
export function documentedMembers(root: string, file: string, name: string): readonly DocumentedMember[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ES2024, true);
  const found = source.statements.find(
    (statement): statement is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (found === undefined) throw new Error(`${file} has no interface ${name}`);
  return found.members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(source),
    type: typeText(member, source),
    isOptional: member.questionToken !== undefined,
    text: commentOf(member),
  }));
}

function typeText(member: ts.PropertySignature, source: ts.SourceFile): string {
  return (member.type?.getText(source) ?? "unknown").replaceAll(/\s+/g, " ");
}

function commentOf(member: ts.PropertySignature): string {
  const comments = ts.getJSDocCommentsAndTags(member).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "");
  return comments.join(" ").replaceAll(/\s+/g, " ").trim();
}
