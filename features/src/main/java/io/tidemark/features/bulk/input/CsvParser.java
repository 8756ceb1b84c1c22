// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.tidemark.features.bulk.input.CsvOptions.Typing;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.model.Feature;
import io.tidemark.objects.JsonErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of CSV rows into features: a point of longitude and latitude, an id if there is a column
 * for it, and properties of the other columns. An empty field is no property, and no place.
 */
final class CsvParser implements EntryParser {

  private static final List<String> LON = List.of("lon", "longitude", "lng", "long", "x");
  private static final List<String> LAT = List.of("lat", "latitude", "y");
  private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

  /**
   * Numbers as in JSON, so 007 and 1. are texts; the number of digits is limited to that of any
   * real measurement.
   */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d{0,17})(\\.\\d{1,30})?([eE][+-]?\\d{1,3})?");

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ObjectReader reader;
  private final List<String> columns;
  private final Typing typing;
  private final int lon;
  private final int lat;
  private final int id;

  private CsvParser(ObjectReader reader, List<String> columns, CsvOptions options) {
    this.reader = reader;
    this.columns = columns;
    this.typing = options.typing();
    this.lon = place(options.lon(), LON, "longitude");
    this.lat = place(options.lat(), LAT, "latitude");
    this.id = options.id() == null ? find(List.of("id")) : place(options.id(), List.of(), "id");
  }

  /** Returns a parser for the rows below a header. */
  static CsvParser of(byte[] header, CsvOptions options) {
    String text = EntryParser.utf8(header);
    Character chosen = options.separator();
    char separator = chosen == null ? separator(text) : chosen;
    ObjectReader reader =
        new CsvMapper()
            .readerForListOf(String.class)
            .with(com.fasterxml.jackson.dataformat.csv.CsvParser.Feature.WRAP_AS_ARRAY)
            .with(CsvSchema.emptySchema().withColumnSeparator(separator));
    List<String> columns = fields(reader, text).stream().map(String::strip).toList();
    if (new HashSet<>(columns).size() < columns.size()) {
      throw new InvalidInputException(
          "line 1: the header has a column twice: %s; rename one".formatted(columns));
    }
    return new CsvParser(reader, columns, options);
  }

  private static char separator(String header) {
    char most = ',';
    for (char candidate : SEPARATORS) {
      if (count(header, candidate) > count(header, most)) {
        most = candidate;
      }
    }
    return most;
  }

  private static long count(String text, char wanted) {
    return text.chars().filter(c -> c == wanted).count();
  }

  private int place(@Nullable String chosen, List<String> usual, String what) {
    int found = find(chosen == null ? usual : List.of(chosen.toLowerCase(Locale.ROOT)));
    if (found < 0) {
      throw new InvalidInputException(
          "line 1: no column is the %s: the header has %s, wanted is %s; name the column"
              .formatted(what, columns, chosen == null ? "one of " + usual : chosen));
    }
    return found;
  }

  private int find(List<String> names) {
    for (String name : names) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).toLowerCase(Locale.ROOT).equals(name)) {
          return i;
        }
      }
    }
    return -1;
  }

  @Override
  public Feature parse(byte[] text) {
    List<String> fields = fields(reader, EntryParser.utf8(text));
    if (fields.size() != columns.size()) {
      throw new InvalidFeatureException(
          "the row has %d fields, the header %d".formatted(fields.size(), columns.size()));
    }
    ObjectNode feature = JSON.objectNode().put("type", "Feature");
    if (id >= 0 && !fields.get(id).isEmpty()) {
      feature.put("id", fields.get(id));
    }
    feature.set("geometry", point(fields.get(lon).strip(), fields.get(lat).strip()));
    ObjectNode properties = feature.putObject("properties");
    for (int i = 0; i < columns.size(); i++) {
      if (i != lon && i != lat && i != id && !fields.get(i).isEmpty()) {
        put(properties, columns.get(i), fields.get(i));
      }
    }
    return Feature.of(feature);
  }

  private @Nullable ObjectNode point(String x, String y) {
    if (x.isEmpty() && y.isEmpty()) {
      return null;
    }
    ArrayNode position = JSON.arrayNode();
    for (String coordinate : List.of(x, y)) {
      try {
        position.add(Double.parseDouble(coordinate));
      } catch (NumberFormatException e) {
        throw new InvalidFeatureException(
            "'%s' is no coordinate; degrees are written like 13.37".formatted(coordinate), e);
      }
    }
    ObjectNode point = JSON.objectNode().put("type", "Point");
    point.set("coordinates", position);
    return point;
  }

  private void put(ObjectNode properties, String name, String value) {
    if (typing == Typing.TEXT) {
      properties.put(name, value);
    } else if (value.equals("true") || value.equals("false")) {
      properties.put(name, value.equals("true"));
    } else if (NUMBER.matcher(value).matches()) {
      properties.put(name, new BigDecimal(value));
    } else {
      properties.put(name, value);
    }
  }

  private static List<String> fields(ObjectReader reader, String row) {
    try {
      List<List<String>> rows = reader.<List<String>>readValues(row).readAll();
      if (rows.size() == 1) {
        return rows.get(0);
      }
    } catch (JsonProcessingException e) {
      throw new InvalidFeatureException("the row is no CSV: " + JsonErrors.reason(e), e);
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory can't be read", e);
    }
    throw new InvalidFeatureException("the row is no CSV; see its quotes");
  }
}
