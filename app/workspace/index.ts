export { type DataFilesOptions, openDataFiles, resolveData, statData } from './data-files.ts'
export { checkName, listNotebooks, readNotebook, writeNotebook } from './notebooks.ts'
export { openWorkspace, type Workspace } from './workspace.ts'
