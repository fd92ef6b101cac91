/** @file Complex arithmetic. Functions return the principal value, except that `root` prefers a real root. */

export interface Complex {
  readonly re: number;
  readonly im: number;
}

export const complex = (re: number, im = 0): Complex => ({ re, im });

export const add = (a: Complex, b: Complex): Complex => complex(a.re + b.re, a.im + b.im);
export const negate = (a: Complex): Complex => complex(-a.re, -a.im);
export const multiply = (a: Complex, b: Complex): Complex =>
  complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);

export function divide(a: Complex, b: Complex): Complex {
  if (b.im === 0) return complex(a.re / b.re, a.im / b.re);
  const size = b.re * b.re + b.im * b.im;
  return complex((a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size);
}

export const size = (a: Complex): number => Math.hypot(a.re, a.im);

export const exponential = (a: Complex): Complex =>
  a.im === 0 ? power(Math.E, a.re) : complex(Math.exp(a.re) * Math.cos(a.im), Math.exp(a.re) * Math.sin(a.im));

export const logarithm = (a: Complex): Complex => complex(Math.log(size(a)), Math.atan2(a.im, a.re));

export function raise(base: Complex, exponent: Complex): Complex {
  if (base.re === 0 && base.im === 0)
    return exponent.re > 0 ? complex(0) : complex(exponent.re === 0 && exponent.im === 0 ? 1 : NaN);
  const isReal = base.im === 0 && exponent.im === 0;
  if (isReal && (base.re > 0 || Number.isInteger(exponent.re))) return power(base.re, exponent.re);
  if (exponent.im === 0 && Number.isInteger(exponent.re) && Math.abs(exponent.re) <= 64)
    return whole(base, exponent.re);
  return exponential(multiply(exponent, logarithm(base)));
}

/** A real power. The result is NaN if it underflows to 0, so that two such results are not equal. */
function power(base: number, exponent: number): Complex {
  const result = base ** exponent;
  return complex(result === 0 && Number.isFinite(base) && Number.isFinite(exponent) ? NaN : result);
}

function whole(base: Complex, exponent: number): Complex {
  let result = complex(1);
  for (let count = Math.abs(exponent); count > 0; count--) result = multiply(result, base);
  return exponent < 0 ? divide(complex(1), result) : result;
}

/** A root of a number. If a real number has a real root, this root is returned, as in `\sqrt[3]{-8} = -2`. */
export function root(of: Complex, degree: Complex): Complex {
  const isOdd = degree.im === 0 && Math.abs(degree.re % 2) === 1;
  if (of.im === 0 && of.re < 0 && isOdd) return complex(-((-of.re) ** (1 / degree.re)));
  return raise(of, divide(complex(1), degree));
}

export function sine(a: Complex): Complex {
  if (a.im === 0) return complex(Math.sin(a.re));
  return complex(Math.sin(a.re) * Math.cosh(a.im), Math.cos(a.re) * Math.sinh(a.im));
}

export function cosine(a: Complex): Complex {
  if (a.im === 0) return complex(Math.cos(a.re));
  return complex(Math.cos(a.re) * Math.cosh(a.im), -Math.sin(a.re) * Math.sinh(a.im));
}
