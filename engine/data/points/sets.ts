// The data sets of point clouds. A new one is its file and a line here.
export { pointFiles } from './files.ts'
export { solids } from './solids.ts'
