export function templateReference() {
  return 'x\n';
}
