import { attribute, family, input, one, type Rules, type ShapeRule } from '../rule.ts'

/** `[batch, h, w, channels]` to the height and width of the attribute `name`. */
const resized =
  (from: string, name: string, typeOf: 'float32' | 'input'): ShapeRule =>
  (inputs, attributes) => {
    const { shape, dtype } = input(inputs, from)
    const [batch, height, width, channels] = shape as [number, number, number, number]
    const size = attribute<[number, number] | undefined>(attributes, name) ?? [height, width]
    return one([batch, ...size, channels], typeOf === 'input' ? dtype : 'float32')
  }

const gradient: ShapeRule = (inputs) => one(input(inputs, 'images').shape, 'float32')

/** Operations on pictures. */
export const images: Rules = {
  ResizeBilinear: resized('images', 'size', 'float32'),
  ResizeNearestNeighbor: resized('images', 'size', 'input'),
  Transform: resized('image', 'outputShape', 'input'),
  ...family(['ResizeBilinearGrad', 'ResizeNearestNeighborGrad'], gradient),
  CropAndResize: (inputs, attributes) => {
    const [count, channels] = [input(inputs, 'boxes').shape[0], input(inputs, 'image').shape[3]] as [number, number]
    return one([count, ...attribute<[number, number]>(attributes, 'cropSize'), channels])
  },
}
