/** @file Joins a table of orders with a table of prices and a table of customers. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf, repeat, sampleOf } from '../draw';
import { NAMES, PLACES, THINGS } from '../words';

export interface Shop {
  readonly prices: readonly (readonly [product: string, price: number])[];
  readonly customers: readonly (readonly [name: string, town: string])[];
  readonly orders: readonly (readonly [name: string, product: string, amount: number])[];
  readonly town: string;
}

export const tableJoin: Definition<Shop> = {
  id: 'table-join',
  label: 'Joining three tables',
  domain: 'data',
  sizes: [3, 4, 7, 11, 18, 29, 46, 74],
  form: 'number',
  draw: (random, orders) =>
    drawUntil(
      () => drawShop(random, orders),
      (shop) => inTown(shop).length > 1 && inTown(shop).length < orders,
    ),
  ask: ({ prices, customers, orders, town }) =>
    [
      `A shop keeps three tables. How much do all orders of customers from ${town} cost together?`,
      `Prices\nproduct,price\n${prices.map((row) => row.join(',')).join('\n')}`,
      `Customers\nname,town\n${customers.map((row) => row.join(',')).join('\n')}`,
      `Orders\nname,product,amount\n${orders.map((row) => row.join(',')).join('\n')}`,
    ].join('\n\n'),
  answer: 'the total cost as a number',
  solve: (shop) => {
    const prices = new Map(shop.prices);
    return String(inTown(shop).reduce((sum, [, product, amount]) => sum + amount * (prices.get(product) ?? 0), 0));
  },
  // Each order needs its town, and those that count a price, a product and a sum.
  steps: (shop) => shop.orders.length + 3 * inTown(shop).length,
};

function drawShop(random: Random, orders: number): Shop {
  const products = sampleOf(THINGS, 3 + Math.ceil(orders / 8), random);
  const names = sampleOf(NAMES, 3 + Math.ceil(orders / 8), random);
  const towns = sampleOf(PLACES, 3, random);
  return {
    prices: products.map((product) => [product, between(random, 11, 99)]),
    customers: names.map((name) => [name, pickOf(towns, random)]),
    orders: repeat(orders, () => [pickOf(names, random), pickOf(products, random), between(random, 2, 9)]),
    town: pickOf(towns, random),
  };
}

function inTown({ customers, orders, town }: Shop): Shop['orders'] {
  const towns = new Map(customers);
  return orders.filter(([name]) => towns.get(name) === town);
}
