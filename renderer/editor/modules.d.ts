declare module 'monaco-editor/features/register.all.js'
declare module 'monaco-editor/languages/definitions/typescript/register.js'
declare module 'monaco-editor/languages/definitions/markdown/register.js'
declare module 'monaco-editor/languages/definitions/sql/register.js'
