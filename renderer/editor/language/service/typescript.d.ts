/** The part of TypeScript's compiler that is used here, as it comes with Monaco: without types of its own. */
declare module 'monaco-editor/languages/features/typescript/lib/typescriptServices.js' {
  export namespace typescript {
    interface Node {
      readonly kind: number
      getStart(file: SourceFile): number
      getEnd(): number
      getSourceFile(): SourceFile
    }
    interface Declaration extends Node {
      readonly name?: Node
    }
    interface Identifier extends Node {
      readonly text: string
    }
    interface SourceFile extends Node {
      readonly fileName: string
      readonly statements: readonly Statement[]
    }
    interface Statement extends Node {
      readonly modifiers?: readonly Node[]
    }
    interface Pattern extends Node {
      readonly elements: readonly (Node & { readonly name?: Identifier | Pattern })[]
    }
    interface VariableDeclarationList extends Node {
      readonly flags: number
      readonly declarations: readonly { readonly name: Identifier | Pattern }[]
    }
    interface ImportDeclaration extends Statement {
      readonly moduleSpecifier: { readonly text: string }
      readonly importClause?: {
        readonly isTypeOnly?: boolean
        readonly name?: Identifier
        readonly namedBindings?: {
          readonly name?: Identifier
          readonly elements?: readonly (Node & { name: Identifier })[]
        }
      }
    }

    /** What a name stands for. */
    interface Named {
      readonly name: string
      readonly flags: number
      readonly declarations?: readonly Declaration[]
    }
    interface TypeChecker {
      getSymbolAtLocation(node: Node): Named | undefined
      getExportsOfModule(module: Named): readonly Named[]
      getAliasedSymbol(alias: Named): Named
    }
    interface Program {
      getSourceFile(path: string): SourceFile | undefined
      getTypeChecker(): TypeChecker
    }

    const SymbolFlags: {
      readonly Alias: number
      readonly Value: number
      readonly Function: number
      readonly Class: number
    }
    const NodeFlags: { readonly BlockScoped: number }
    const SyntaxKind: { readonly ExportKeyword: number }
    const ModuleKind: { readonly ESNext: number }
    const ModuleResolutionKind: { readonly Bundler: number }
    const ScriptTarget: { readonly ESNext: number }
    const ScriptSnapshot: { fromString(text: string): object }
    function createSourceFile(path: string, text: string, target: number, setParents: boolean): SourceFile
    function forEachChild(node: Node, visit: (child: Node) => void): void
    function isIdentifier(node: Node): node is Identifier
    function isImportDeclaration(node: Node): node is ImportDeclaration
    function isVariableDeclarationList(node: Node): node is VariableDeclarationList
    function isVariableStatement(node: Node): node is Statement & { declarationList: VariableDeclarationList }
    function isDeclarationStatement(node: Node): node is Statement & { readonly name?: Node }
    function isFunctionLike(node: Node): boolean
    function isClassLike(node: Node): boolean
    function displayPartsToString(parts: readonly DisplayPart[] | undefined): string
    function flattenDiagnosticMessageText(message: string | object, newLine: string): string
    function createLanguageService(host: LanguageServiceHost): LanguageService

    interface LanguageServiceHost {
      getCompilationSettings(): object
      getCurrentDirectory(): string
      getDefaultLibFileName(): string
      getProjectVersion(): string
      getScriptFileNames(): string[]
      getScriptSnapshot(path: string): object | undefined
      getScriptVersion(path: string): string
      fileExists(path: string): boolean
      readFile(path: string): string | undefined
    }

    interface Span {
      readonly start: number
      readonly length: number
    }
    interface DisplayPart {
      readonly text: string
    }
    interface Tag {
      readonly name: string
      readonly text?: readonly DisplayPart[]
    }
    interface Described {
      readonly displayParts?: readonly DisplayPart[]
      readonly documentation?: readonly DisplayPart[]
      readonly tags?: readonly Tag[]
    }
    interface CompletionEntry {
      readonly name: string
      readonly kind: string
      readonly kindModifiers?: string
      readonly sortText: string
      readonly replacementSpan?: Span
    }
    interface SignatureItem extends Described {
      readonly prefixDisplayParts: readonly DisplayPart[]
      readonly suffixDisplayParts: readonly DisplayPart[]
      readonly separatorDisplayParts: readonly DisplayPart[]
      readonly parameters: readonly Described[]
    }
    interface Diagnostic {
      readonly start?: number
      readonly length?: number
      readonly category: number
      readonly code: number
      readonly messageText: string | object
    }
    interface RenameLocation {
      readonly fileName: string
      readonly textSpan: Span
      readonly prefixText?: string
      readonly suffixText?: string
    }
    interface LanguageService {
      getProgram(): Program | undefined
      getCompletionsAtPosition(
        path: string,
        offset: number,
        preferences: object,
      ): { readonly isMemberCompletion: boolean; readonly entries: readonly CompletionEntry[] } | undefined
      getCompletionEntryDetails(
        path: string,
        offset: number,
        name: string,
        format: undefined,
        source: undefined,
        preferences: undefined,
        data: undefined,
      ): Described | undefined
      getQuickInfoAtPosition(path: string, offset: number): (Described & { readonly textSpan: Span }) | undefined
      getSignatureHelpItems(
        path: string,
        offset: number,
        options: object,
      ):
        | {
            readonly items: readonly SignatureItem[]
            readonly selectedItemIndex: number
            readonly argumentIndex: number
          }
        | undefined
      getDefinitionAtPosition(
        path: string,
        offset: number,
      ): readonly { readonly fileName: string; readonly textSpan: Span }[] | undefined
      getRenameInfo(path: string, offset: number, options: object): { readonly canRename: boolean }
      findRenameLocations(
        path: string,
        offset: number,
        inStrings: boolean,
        inComments: boolean,
        preferences: { readonly providePrefixAndSuffixTextForRename: boolean },
      ): readonly RenameLocation[] | undefined
      getSyntacticDiagnostics(path: string): readonly Diagnostic[]
      getSemanticDiagnostics(path: string): readonly Diagnostic[]
    }
  }
}

declare module 'monaco-editor/languages/features/typescript/lib/lib.js' {
  /** The text of TypeScript's own declarations by file name, such as `lib.es2024.d.ts`. */
  export const libFileMap: Readonly<Record<string, string>>
}

declare module 'virtual:declarations' {
  const declarations: Record<string, string>
  export default declarations
}
