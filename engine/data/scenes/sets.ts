// The data sets of scenes, images with a class for each pixel. A new one is its file and a line here.
export { scenes } from './scenes.ts'
