// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.duckdb;

import io.tidemark.ledger.internal.plan.Binding;
import io.tidemark.ledger.internal.plan.Grouping;
import io.tidemark.ledger.internal.plan.Grouping.Having;
import io.tidemark.ledger.internal.plan.TypeView;
import io.tidemark.ledger.query.model.Aggregate;
import io.tidemark.ledger.query.model.FieldPath;
import io.tidemark.ledger.query.model.Filter;
import io.tidemark.ledger.query.model.Filter.Comparison;
import io.tidemark.ledger.query.model.Filter.Nullness;
import io.tidemark.ledger.query.model.Filter.Place;
import io.tidemark.ledger.query.model.Literal;
import io.tidemark.ledger.query.model.MetaField;
import io.tidemark.ledger.query.model.Operand;
import io.tidemark.ledger.query.model.Query;
import io.tidemark.ledger.query.model.Side;
import io.tidemark.ledger.query.model.SortKey;
import io.tidemark.ledger.query.model.SortKey.Direction;
import io.tidemark.ledger.schema.TypeKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Queries at random about the types of a {@link RandomLedger}. */
final class RandomQueries {

  private static final List<Set<Side>> ENDS =
      List.of(Set.of(Side.LEFT, Side.RIGHT), Set.of(Side.LEFT), Set.of(Side.RIGHT));

  private final RandomGenerator random;
  private final RandomValues values;
  private final Binding binding;

  RandomQueries(RandomGenerator random, Binding binding) {
    this.random = random;
    this.values = new RandomValues(random);
    this.binding = binding;
  }

  Query query() {
    Query query = Query.of(binding.self().id());
    if (random.nextInt(10) > 0) {
      query = query.where(filter(3));
    }
    return query;
  }

  /** With an order, a limit, an offset, ends. */
  Query paged(Query plain) {
    Query query = plain;
    for (int i = random.nextInt(3); i > 0; i--) {
      Direction direction = random.nextBoolean() ? Direction.ASCENDING : Direction.DESCENDING;
      query = query.orderBy(new SortKey(value(), direction));
    }
    if (random.nextInt(3) == 0) {
      query = query.limit(random.nextInt(6));
    }
    if (random.nextInt(4) == 0) {
      query = query.offset(random.nextInt(4));
    }
    boolean ends = binding.self().id().kind() == TypeKind.RELATION && random.nextInt(3) == 0;
    return ends ? query.withEnds(pick(ENDS)) : query;
  }

  private <T> T pick(List<T> pool) {
    return pool.get(random.nextInt(pool.size()));
  }

  private Filter filter(int depth) {
    int kind = depth == 0 ? 9 : random.nextInt(10);
    if (kind < 2) {
      return new Filter.And(filters(depth));
    }
    if (kind < 4) {
      return new Filter.Or(filters(depth));
    }
    return kind == 4 ? new Filter.Not(filter(depth - 1)) : leaf();
  }

  private List<Filter> filters(int depth) {
    List<Filter> filters = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      filters.add(filter(depth - 1));
    }
    return filters;
  }

  private Filter leaf() {
    boolean lists = has(binding.self(), "list") && has(binding.self(), "tags");
    if (lists && random.nextInt(5) == 0) {
      return any();
    }
    Operand operand = value();
    if (random.nextInt(20) == 0) {
      return new Filter.IsNull(FieldPath.of(Side.SELF, pick(List.of("nope", "s.x"))), nullness());
    }
    return leaf(operand);
  }

  private Filter any() {
    return random.nextBoolean()
        ? new Filter.Any(FieldPath.of(Side.SELF, "tags"), leaf(new FieldPath(Side.SELF, List.of())))
        : new Filter.Any(
            FieldPath.of(Side.SELF, "list"),
            new Filter.Or(
                List.of(
                    leaf(FieldPath.of(Side.SELF, "k")),
                    leaf(FieldPath.of(Side.SELF, pick(List.of("v", "v.a")))).not())));
  }

  private Nullness nullness() {
    return random.nextBoolean() ? Nullness.NULL : Nullness.NOT_NULL;
  }

  private Filter leaf(Operand operand) {
    return switch (random.nextInt(6)) {
      case 0 -> new Filter.IsNull(operand, nullness());
      case 1 -> {
        List<Literal> literals = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          literals.add(random.nextInt(8) == 0 ? Literal.Null.NULL : literal(operand));
        }
        yield new Filter.In(operand, literals);
      }
      case 2 ->
          new Filter.Match(
              operand,
              pick(List.of(Place.values())),
              new Literal.Text(values.pick("", "a", "b", "2026", "+00:00", "%", "\0", "'")));
      default -> new Filter.Compare(operand, pick(List.of(Comparison.values())), literal(operand));
    };
  }

  /** Mostly of the kind that the field has; never a text that is no moment for a moment. */
  private Literal literal(Operand operand) {
    boolean moment = operand instanceof FieldPath path && path.dotted().equals("t");
    return switch (random.nextInt(5)) {
      case 0 -> Literal.Bool.of(random.nextBoolean());
      case 1, 2 -> new Literal.Num(new BigDecimal(number()));
      default ->
          new Literal.Text(
              moment
                  ? values.pick(RandomValues.INSTANTS)
                  : operand instanceof MetaField
                      ? values.pick("a1", "1", "i0", "a")
                      : values.pick(RandomValues.TEXTS));
    };
  }

  private String number() {
    return switch (random.nextInt(5)) {
      case 0 -> values.pick(RandomValues.REALS);
      case 1 -> values.pick(RandomValues.DECIMALS);
      case 2 ->
          values.pick(
              "0.5",
              "1e30",
              "-1e30",
              "0.1000000000000000000001",
              "9223372036854775807.5",
              "-9223372036854775808.5",
              "100000000000000000000",
              "1e400",
              "18446744073709551615");
      case 3 -> values.pick("18446744073709551616", "123456789012345678901234567890", "0.3");
      default -> values.pick(RandomValues.WHOLES);
    };
  }

  /** Something that rows can be ordered by. */
  Operand value() {
    boolean relation = binding.self().id().kind() == TypeKind.RELATION;
    int side = relation ? random.nextInt(4) : 3;
    if (side > 1) {
      if (random.nextInt(6) == 0) {
        return relation
            ? pick(List.of(MetaField.LEFT, MetaField.RIGHT, MetaField.INSTANCE, MetaField.COMMIT))
            : pick(List.of(MetaField.KEY, MetaField.COMMIT));
      }
      return path(Side.SELF, binding.self());
    }
    Side end = side == 0 ? Side.LEFT : Side.RIGHT;
    TypeView type = binding.ends().get(end);
    return type == null ? path(Side.SELF, binding.self()) : path(end, type);
  }

  private FieldPath path(Side side, TypeView type) {
    List<String> paths = new ArrayList<>();
    for (String path :
        List.of(
            "id",
            "nr",
            "s",
            "s2",
            "n",
            "d",
            "b",
            "x",
            "t",
            "any",
            "any.a",
            "o.a",
            "o.n",
            "o.o.d",
            "map.a",
            "commit_id",
            "N")) {
      if (has(type, path.replaceFirst("[.].*", ""))) {
        paths.add(path);
      }
    }
    return FieldPath.of(side, pick(paths));
  }

  private static boolean has(TypeView type, String field) {
    return type.schema().fields().containsKey(field);
  }

  Grouping grouping() {
    List<Operand> by = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      by.add(value());
    }
    Map<String, Aggregate> figures = new LinkedHashMap<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      figures.put("figure" + i, aggregate());
    }
    boolean held = random.nextInt(4) == 0;
    Optional<Having> having =
        held
            ? Optional.of(
                new Having(
                    exactAggregate(),
                    pick(List.of(Comparison.values())),
                    new Literal.Num(new BigDecimal(number()))))
            : Optional.empty();
    return new Grouping(by.stream().distinct().toList(), figures, having);
  }

  private Aggregate aggregate() {
    boolean lists = has(binding.self(), "list");
    return switch (random.nextInt(6)) {
      case 0 -> new Aggregate.OfValues(Aggregate.Function.SUM, value());
      case 1 -> new Aggregate.OfValues(Aggregate.Function.AVG, value());
      case 2 -> lists ? new Aggregate.AvgLen(FieldPath.of(Side.SELF, "list")) : Aggregate.count();
      default -> exactAggregate();
    };
  }

  /** One in which no digit depends on the order of additions. */
  private Aggregate exactAggregate() {
    return switch (random.nextInt(4)) {
      case 0 -> Aggregate.count();
      case 1 -> new Aggregate.CountWhere(filter(1));
      case 2 -> new Aggregate.OfValues(Aggregate.Function.MIN, value());
      default -> new Aggregate.OfValues(Aggregate.Function.MAX, value());
    };
  }
}
