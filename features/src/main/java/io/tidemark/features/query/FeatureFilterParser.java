// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tidemark.features.model.InvalidRequestException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of conditions in the grammar of {@link FeatureFilter#parse}. */
final class FeatureFilterParser {

  private static final int LONGEST = 100_000;
  private static final int MOST_VALUES = 10_000;

  /** Longer ones first, since some begin like others. */
  private static final Pattern OPERATOR =
      Pattern.compile("=gte=|=lte=|=gt=|=lt=|=cs=|!=|>=|<=|@>|=|>|<");

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");

  private static final Map<String, FeatureFilter.Comparison> COMPARISONS =
      Map.of(
          ">", FeatureFilter.Comparison.GT,
          "=gt=", FeatureFilter.Comparison.GT,
          ">=", FeatureFilter.Comparison.GTE,
          "=gte=", FeatureFilter.Comparison.GTE,
          "<", FeatureFilter.Comparison.LT,
          "=lt=", FeatureFilter.Comparison.LT,
          "<=", FeatureFilter.Comparison.LTE,
          "=lte=", FeatureFilter.Comparison.LTE);

  private static final ObjectMapper JSON =
      JsonMapper.builder(new JsonFactory())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private final String text;
  private int at;
  private int values;

  FeatureFilterParser(String text) {
    if (text.length() > LONGEST) {
      throw new InvalidRequestException(
          "a condition of %d characters; give at most %d".formatted(text.length(), LONGEST));
    }
    this.text = text;
  }

  /** Parses the whole text as one field. */
  FeatureField onlyField() {
    FeatureField featureField = field();
    if (at < text.length()) {
      throw refused("nothing is to follow the field");
    }
    return featureField;
  }

  /** Parses the whole text as conditions. */
  FeatureFilter conditions() {
    List<FeatureFilter> all = new ArrayList<>();
    all.add(condition());
    while (at < text.length()) {
      expect('&');
      all.add(condition());
    }
    return all.size() == 1 ? all.get(0) : new FeatureFilter.All(all);
  }

  private FeatureFilter condition() {
    FeatureField featureField = field();
    Matcher operator = OPERATOR.matcher(text).region(at, text.length());
    if (!operator.lookingAt()) {
      throw refused("one of = != > >= < <= @> is needed");
    }
    at = operator.end();
    String op = operator.group();
    List<FeatureFilter> any = new ArrayList<>();
    any.add(comparison(featureField, op));
    while (at < text.length() && text.charAt(at) == ',') {
      at++;
      any.add(comparison(featureField, op));
    }
    FeatureFilter one = any.size() == 1 ? any.get(0) : new FeatureFilter.Any(any);
    return op.equals("!=") ? new FeatureFilter.Not(one) : one;
  }

  private FeatureFilter comparison(FeatureField featureField, String op) {
    int start = at;
    if (++values > MOST_VALUES) {
      throw refused("there are more than %d values".formatted(MOST_VALUES));
    }
    JsonNode value = value(op.equals("@>") || op.equals("=cs="));
    FeatureFilter.@Nullable Comparison comparison = COMPARISONS.get(op);
    if (comparison != null) {
      if (!value.isNumber()) {
        at = start;
        throw refused("'%s' compares numbers, and this is none".formatted(op));
      }
      return new FeatureFilter.Compares(featureField, comparison, value);
    }
    if (op.equals("@>") || op.equals("=cs=")) {
      return new FeatureFilter.Contains(featureField, value);
    }
    return value.isNull()
        ? new FeatureFilter.Any(
            List.of(
                new FeatureFilter.IsNull(featureField),
                new FeatureFilter.Not(new FeatureFilter.Exists(featureField))))
        : new FeatureFilter.Eq(featureField, value);
  }

  private FeatureField field() {
    int start = at;
    List<String> names = new ArrayList<>();
    names.add(name());
    while (at < text.length() && text.charAt(at) == '.') {
      at++;
      names.add(name());
    }
    String kind = names.remove(0);
    if (names.isEmpty() || !(kind.equals("p") || kind.equals("f"))) {
      at = start;
      throw refused("a field is p.name for a property, or f.name for what the storage notes");
    }
    if (kind.equals("p")) {
      return FeatureField.property(names.toArray(String[]::new));
    }
    if (names.size() == 1
        && !names.get(0).equals("id")
        && !FeatureField.NOTED.contains(names.get(0))) {
      at = start;
      throw refused(
          "the storage notes id and "
              + String.join(", ", FeatureField.NOTED.stream().sorted().toList()));
    }
    if (names.get(0).equals("id")) {
      return new FeatureField(names);
    }
    names.add(0, FeatureField.NAMESPACE);
    return FeatureField.property(names.toArray(String[]::new));
  }

  private String name() {
    int start = at;
    if (at < text.length() && text.charAt(at) == '"') {
      return quoted('"');
    }
    while (at < text.length() && !endsName(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw refused("a name is needed");
    }
    return text.substring(start, at);
  }

  private boolean endsName(char c) {
    return ".=!<>&,".indexOf(c) >= 0 || text.startsWith("@>", at);
  }

  private JsonNode value(boolean json) {
    if (at < text.length() && text.charAt(at) == '\'') {
      return FilterValues.of(quoted('\''));
    }
    if (json && at < text.length() && "{[\"".indexOf(text.charAt(at)) >= 0) {
      return json();
    }
    int start = at;
    while (at < text.length() && ",&".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String bare = text.substring(start, at);
    if (bare.isEmpty()) {
      throw refused("a value is needed; an empty text is ''");
    }
    return switch (bare) {
      case ".null" -> FilterValues.of(NullNode.instance);
      case "true" -> FilterValues.of(true);
      case "false" -> FilterValues.of(false);
      default -> NUMBER.matcher(bare).matches() ? number(bare, start) : FilterValues.of(bare);
    };
  }

  private JsonNode number(String digits, int start) {
    try {
      return FilterValues.checked(FilterValues.of(new BigDecimal(digits)));
    } catch (InvalidRequestException | NumberFormatException e) {
      at = start;
      throw refused("the number is too long");
    }
  }

  private JsonNode json() {
    try (JsonParser parser = JSON.createParser(text.substring(at))) {
      JsonNode value = FilterValues.checked(JSON.readTree(parser));
      at += (int) parser.currentLocation().getCharOffset();
      return value;
    } catch (IOException | InvalidRequestException e) {
      throw refused("this is no JSON");
    }
  }

  private String quoted(char quote) {
    int start = at;
    StringBuilder content = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == quote && (at + 1 == text.length() || text.charAt(at + 1) != quote)) {
        at++;
        return content.toString();
      }
      if (c == quote) {
        at++;
      }
      content.append(c);
    }
    at = start;
    throw refused("the quote isn't closed");
  }

  private void expect(char wanted) {
    if (text.charAt(at) != wanted) {
      throw refused("'%c' or the end is needed".formatted(wanted));
    }
    at++;
  }

  private InvalidRequestException refused(String problem) {
    String before = text.substring(Math.max(0, at - 60), at);
    String after = text.substring(at, Math.min(text.length(), at + 60));
    return new InvalidRequestException(
        "the condition can't be read at position %d: %s; it is at the mark in %s»%s"
            .formatted(at + 1, problem, before, after));
  }
}
